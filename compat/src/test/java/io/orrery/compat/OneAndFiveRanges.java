package io.orrery.compat;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A suite that runs over containers with one and with five partitions; the scheme is no matter. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = Deployment.class,
    names = {"HTTP_ONE_RANGE", "HTTP_FIVE_RANGES"})
@interface OneAndFiveRanges {}
