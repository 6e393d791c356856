/** Typed view of a body: bytes and a format in, values out. May depend on: operation. */
@NullMarked
package io.orrery.value;

import org.jspecify.annotations.NullMarked;
