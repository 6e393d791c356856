package io.orrery.partition;

import io.orrery.operation.Refusal;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.storage.StorageFault;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;

/** The stored text of an item is damaged: nothing that depends on what stood there can be done. */
final class UnreadableItem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private UnreadableItem(ItemRecord item, Throwable cause) {
    super(
        "The stored text of item '"
            + Quarantine.id(item)
            + "' is damaged and the item in quarantine: it can be replaced or deleted, not patched."
            + " Replace it with what it should be.",
        cause);
  }

  /**
   * The content of an item.
   *
   * @throws UnreadableItem when there is none
   */
  static Value.Obj contentOf(ItemRecord item) {
    try {
      return (Value.Obj) Json.parseStored(item.item().body().bytes().array());
    } catch (MalformedBody
        | ClassCastException
        | IndexOutOfBoundsException
        | IllegalArgumentException e) {
      throw new UnreadableItem(item, e);
    }
  }

  /**
   * Tells damage from other causes of a failure.
   *
   * @throws UnreadableItem when the text of the item is damaged
   */
  static void refuse(ItemRecord item) {
    contentOf(item);
  }

  /** The fault of a read whose item has a broken record. */
  static StorageFault broken(long counter) {
    return new StorageFault(
        "The record of document "
            + counter
            + " is broken and the item in quarantine: it can be replaced or deleted");
  }

  Refusal refusal() {
    return new Refusal.BadRequest(String.valueOf(getMessage()));
  }
}
