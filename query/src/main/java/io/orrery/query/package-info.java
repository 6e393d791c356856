/**
 * SQL text to syntax tree to values; no input or output of its own. May depend on: operation,
 * value.
 */
@NullMarked
package io.orrery.query;

import org.jspecify.annotations.NullMarked;
