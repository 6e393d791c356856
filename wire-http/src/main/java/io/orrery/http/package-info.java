/** What the protocols over HTTP share. May depend on: operation, value. */
@NullMarked
package io.orrery.http;

import org.jspecify.annotations.NullMarked;
