package io.orrery.nosql;

import io.netty.util.AsciiString;
import io.orrery.http.AsciiOut;
import io.orrery.http.Percent;
import io.orrery.operation.Answer;
import io.orrery.operation.ResourceId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** What answers say of a resource's owner, put into bytes once; belongs to one thread. */
final class OwnerNames {
  private static final int ITEM_RID_BYTES = 16;
  private static final int ITEM_RID_TEXT_BYTES = 24;

  private final AsciiString headers;
  private final AsciiString itemsSelf;
  private final byte[] rid = new byte[ITEM_RID_BYTES];
  private final ByteBuffer ridView = ByteBuffer.wrap(rid).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] ridText = new byte[ITEM_RID_TEXT_BYTES];

  OwnerNames(Answer.Owner owner) {
    headers =
        new AsciiString(
            "x-ms-alt-content-path: "
                + Percent.forHeader(owner.path())
                + "\r\nx-ms-content-path: "
                + owner.rid()
                + "\r\n");
    byte @Nullable [] container = ResourceId.decode(owner.rid());
    if (container != null && container.length == 8) {
      ridView.put(0, container);
      itemsSelf =
          new AsciiString(
              "dbs/" + ResourceId.databaseOf(owner.rid()) + "/colls/" + owner.rid() + "/docs/");
    } else {
      itemsSelf = AsciiString.EMPTY_STRING;
    }
  }

  /** The headers that name the owner by path and by rid, with their line ends. */
  AsciiString headers() {
    return headers;
  }

  /** The rid of an item in this container, ready for {@link #putRid} and {@link #putSelf}. */
  void item(long counter) {
    ridView.putLong(8, counter);
    Base64.getEncoder().encode(rid, ridText);
    for (int i = 0; i < ridText.length; i++) {
      if (ridText[i] == '/') {
        ridText[i] = '-';
      }
    }
  }

  void putRid(AsciiOut out) {
    out.put(ridText);
  }

  void putSelf(AsciiOut out) {
    out.put(itemsSelf).put(ridText).put('/');
  }
}
