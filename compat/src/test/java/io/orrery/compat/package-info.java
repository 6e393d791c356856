/**
 * Drives the packaged server, as a process, with the official clients and with requests made by
 * hand. May depend on: nothing.
 */
@NullMarked
package io.orrery.compat;

import org.jspecify.annotations.NullMarked;
