/**
 * What the server and the processes that run its scripts send each other: frames of a length and a
 * message, over the pipes of the process. Neither side trusts a frame: sizes are bounded, and what
 * cannot be read ends the conversation. May depend on: operation, value.
 */
@NullMarked
package io.orrery.script.channel;

import org.jspecify.annotations.NullMarked;
