/**
 * The storage contract in memory, for tests and for servers that forget. May depend on: storage.
 */
@NullMarked
package io.orrery.memory;

import org.jspecify.annotations.NullMarked;
