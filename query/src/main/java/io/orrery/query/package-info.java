/**
 * SQL text to syntax tree to rows over values; no input or output of its own. Start at {@link
 * io.orrery.query.Queries}. May depend on: operation, value.
 */
@NullMarked
package io.orrery.query;

import org.jspecify.annotations.NullMarked;
