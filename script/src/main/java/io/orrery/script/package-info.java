/** The JavaScript host. May depend on: operation, value. */
@NullMarked
package io.orrery.script;

import org.jspecify.annotations.NullMarked;
