/**
 * The words of the house: resources, keys, operations and their outcomes. May depend on: nothing.
 */
@NullMarked
package io.orrery.operation;

import org.jspecify.annotations.NullMarked;
