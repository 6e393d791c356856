package io.orrery.query.plan;

import io.orrery.operation.PartitionKey;
import java.util.Set;

/** Which partition keys may hold rows of a query. */
public sealed interface KeyFilter {

  /** The filter says nothing about the key. */
  record Everything() implements KeyFilter {}

  /** No key: the query reads no items or its filter is never true. */
  record Nothing() implements KeyFilter {}

  /** These keys, or items below these prefixes of a hierarchical key. */
  record Keys(Set<PartitionKey> keys) implements KeyFilter {}
}
