/**
 * The Azure Table protocol: bytes to operations, outcomes to bytes. May depend on: operation,
 * value, http.
 */
@NullMarked
package io.orrery.table;

import org.jspecify.annotations.NullMarked;
