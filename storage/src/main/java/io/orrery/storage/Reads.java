package io.orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Several values from one state; null where a key was absent. */
public record Reads(@Nullable Head head, List<byte @Nullable []> values) {}
