/**
 * Faults that are injected into a server process, and checks of what is left. May depend on:
 * operation, server.
 */
@NullMarked
package io.orrery.faults;

import org.jspecify.annotations.NullMarked;
