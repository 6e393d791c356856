/** Holds the house to its own rules: format, rooms, tidiness. May depend on: nothing. */
@NullMarked
package io.orrery.house;

import org.jspecify.annotations.NullMarked;
