/**
 * Ordered bytes per partition, advanced by conditional commits: the contract of every engine. May
 * depend on: nothing.
 */
@NullMarked
package io.orrery.storage;

import org.jspecify.annotations.NullMarked;
