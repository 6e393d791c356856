/**
 * Measures the real server beside the bare engine, each in its own process under the same load. May
 * depend on: operation, value, query, script.
 */
@NullMarked
package io.orrery.bench;

import org.jspecify.annotations.NullMarked;
