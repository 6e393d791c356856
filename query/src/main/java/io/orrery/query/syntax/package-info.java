/**
 * Text of a query to its syntax tree, refusing what is not in the language. May depend on:
 * operation, value.
 */
@NullMarked
package io.orrery.query.syntax;

import org.jspecify.annotations.NullMarked;
