package io.orrery.nosql;

import io.orrery.http.AsciiOut;
import io.orrery.http.JsonText;
import io.orrery.operation.Change;
import io.orrery.operation.StoredItem;
import io.orrery.operation.Ticks;
import io.orrery.value.KeyValues;
import org.jspecify.annotations.Nullable;

/** Writes changes as rows of a page. */
final class ChangeRows {
  private ChangeRows() {}

  /** The item itself, with its transaction. */
  static void putItem(AsciiOut page, OwnerNames names, Change change, StoredItem item) {
    putMembers(page, names, item);
    page.put(",\"_lsn\":").number(change.lsn()).put('}');
  }

  /** The item as it is and was, and what is known of the change. */
  static void putEnvelope(AsciiOut page, OwnerNames names, Change change) {
    page.put("{\"current\":");
    putImage(page, names, change.current());
    if (change.previous() != null) {
      page.put(",\"previous\":");
      putImage(page, names, change.previous());
    }
    page.put(",\"metadata\":{\"lsn\":").number(change.lsn());
    page.put(",\"crts\":").number(change.ticks() / Ticks.PER_SECOND);
    if (change.kind() != Change.Kind.LATEST) {
      page.put(",\"operationType\":\"").put(operation(change.kind())).put('"');
      page.put(",\"id\":").put(JsonText.quote(change.id()));
      page.put(",\"partitionKey\":").put(KeyValues.text(change.key()));
    }
    if (change.kind() == Change.Kind.EXPIRE) {
      page.put(",\"timeToLiveExpired\":true");
    }
    if (change.previous() != null) {
      page.put(",\"previousImageLSN\":").number(change.previous().lsn());
    }
    page.put("}}");
  }

  private static String operation(Change.Kind kind) {
    return switch (kind) {
      case LATEST, CREATE -> "create";
      case REPLACE -> "replace";
      case DELETE, EXPIRE -> "delete";
    };
  }

  private static void putImage(AsciiOut page, OwnerNames names, @Nullable StoredItem item) {
    if (item == null) {
      page.put("{}");
      return;
    }
    putMembers(page, names, item);
    page.put('}');
  }

  private static void putMembers(AsciiOut page, OwnerNames names, StoredItem item) {
    byte[] stored = item.body().bytes().array();
    page.put(stored, stored.length - 1);
    SystemProperties.putMembers(page, names, item, item.etag().text());
  }
}
