/** Opens what fuzzing needs of the package to {@code io.orrery.fuzz}. May depend on: nothing. */
@NullMarked
package io.orrery.query.syntax;

import org.jspecify.annotations.NullMarked;
