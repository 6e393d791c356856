/**
 * What a client that merges partitions itself must know of a query: the query to run on each, how
 * to merge, and which partition keys can answer. May depend on: operation, value.
 */
@NullMarked
package io.orrery.query.plan;

import org.jspecify.annotations.NullMarked;
