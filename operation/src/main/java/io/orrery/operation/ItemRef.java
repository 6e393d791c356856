package io.orrery.operation;

import java.io.Serializable;

/** An item within its logical partition, as a request names it. */
public sealed interface ItemRef extends Serializable {

  record ById(String id) implements ItemRef {}

  /** By the item's own rid; the request addressed the whole path by rids. */
  record ByRid(String rid) implements ItemRef {}
}
