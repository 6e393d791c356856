/**
 * Fuzzes the parsers that clients and other processes reach, guided by coverage. A target runs one
 * input and checks more than the absence of exceptions: bounds of time and memory, round trips, and
 * agreement with a reference. May depend on: operation, value, query, script, cluster, routing,
 * http, nosql, table.
 */
@NullMarked
package io.orrery.fuzz;

import org.jspecify.annotations.NullMarked;
