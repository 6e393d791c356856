/**
 * The process that runs scripts, one at a time: a sandbox that can only compute, a watchdog for
 * time and memory, and the other side of the API that scripts see. It is started by the server with
 * a small heap of its own, and what it cannot stop it ends with itself. May depend on: operation,
 * value.
 */
@NullMarked
package io.orrery.script.child;

import org.jspecify.annotations.NullMarked;
