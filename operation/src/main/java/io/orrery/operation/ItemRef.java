package io.orrery.operation;

/** An item within its logical partition, as a request names it. */
public sealed interface ItemRef {

  record ById(String id) implements ItemRef {}

  /** By the item's own rid; the request addressed the whole path by rids. */
  record ByRid(String rid) implements ItemRef {}
}
