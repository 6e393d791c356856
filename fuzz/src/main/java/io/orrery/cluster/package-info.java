/** Opens what fuzzing needs of the package to {@code io.orrery.fuzz}. May depend on: operation. */
@NullMarked
package io.orrery.cluster;

import org.jspecify.annotations.NullMarked;
