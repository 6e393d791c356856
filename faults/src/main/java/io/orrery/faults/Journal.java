package io.orrery.faults;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads what powerloss.c has recorded of a process. */
final class Journal {
  private static final int HEADER_BYTES = 32;
  private static final int DIRECTORY = 1;

  /** What was done, in the order of the codes in powerloss.c, which begin with 1. */
  enum Kind {
    CREATED,
    RESIZED,
    WRITTEN,
    RENAMED,
    LINKED,
    REMOVED,
    SYNCED,
    EXTENDED,
    UNKNOWN
  }

  /**
   * One successful call.
   *
   * @param file the inode's number, where the call names one
   * @param number a size, an offset, or how many records stood before a sync began
   * @param first a path or the bytes written
   * @param second the other path of a rename or link
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Call(Kind kind, boolean directory, long file, long number, byte[] first, byte[] second) {
    String path() {
      return new String(first, StandardCharsets.UTF_8);
    }

    String target() {
      return new String(second, StandardCharsets.UTF_8);
    }
  }

  private Journal() {}

  /** All calls; one whose record was not finished at the cut is left out. */
  static List<Call> read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    var calls = new ArrayList<Call>();
    while (bytes.remaining() >= HEADER_BYTES) {
      Kind kind = Kind.values()[bytes.getInt() - 1];
      boolean directory = (bytes.getInt() & DIRECTORY) != 0;
      long inode = bytes.getLong();
      long number = bytes.getLong();
      int first = bytes.getInt();
      int second = bytes.getInt();
      if (bytes.remaining() < first + second) {
        break;
      }
      calls.add(new Call(kind, directory, inode, number, take(bytes, first), take(bytes, second)));
    }
    return calls;
  }

  private static byte[] take(ByteBuffer from, int length) {
    var taken = new byte[length];
    from.get(taken);
    return taken;
  }
}
