/**
 * What a client may say about a container or an offer: parsed, checked against the limits and
 * written back with its defaults. May depend on: operation, value, query.
 */
@NullMarked
package io.orrery.routing.definition;

import org.jspecify.annotations.NullMarked;
