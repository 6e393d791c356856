package io.orrery.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rows in order, as JSON text: in memory while they are few, then on disk. One thread appends; a
 * finished log may be read by any. What is closed while somebody {@linkplain #use uses} it goes
 * with the last of these.
 */
final class RowLog implements AutoCloseable {
  /** The place of every so many rows is remembered. */
  private static final int STRIDE = 64;

  /** What a row takes in memory besides its text. */
  private static final int ROW_BYTES = 32;

  private final SpillSpace space;
  private final LongPredicate fits;
  private final List<byte[]> inMemory = new ArrayList<>();
  private final List<Long> offsets = new ArrayList<>();
  private long bytesInMemory;
  private long size;
  private @Nullable SpillFile file;

  /** Guarded by this, as is whether it was closed. */
  private int users;

  private boolean closed;

  RowLog(SpillSpace space, long memoryBytes) {
    this(space, bytes -> bytes <= memoryBytes);
  }

  /**
   * @param fits whether so many bytes may stay in memory
   */
  RowLog(SpillSpace space, LongPredicate fits) {
    this.space = space;
    this.fits = fits;
  }

  long size() {
    return size;
  }

  void append(byte[] row) {
    space.count(row.length);
    size++;
    if (file != null) {
      spill(row, file);
      return;
    }
    inMemory.add(row);
    bytesInMemory += ROW_BYTES + row.length;
    if (!fits.test(bytesInMemory)) {
      SpillFile opened = space.open();
      file = opened;
      long counted = size;
      size = 0;
      for (byte[] early : inMemory) {
        size++;
        spill(early, opened);
      }
      size = counted;
      inMemory.clear();
    }
  }

  private void spill(byte[] row, SpillFile to) {
    space.count(row.length);
    if ((size - 1) % STRIDE == 0) {
      offsets.add(to.endBytes());
    }
    to.append(row);
  }

  boolean hasSpilled() {
    return file != null;
  }

  /** Makes what was appended readable. */
  void finish() {
    if (file != null) {
      file.flush();
    }
  }

  /** The rows from a place on, as long as the sink wants more. */
  void each(long from, Predicate<byte[]> sink) {
    if (from >= size) {
      return;
    }
    if (file == null) {
      for (byte[] row : inMemory.subList((int) from, inMemory.size())) {
        if (!sink.test(row)) {
          return;
        }
      }
      return;
    }
    SpillFile.Reader reader = file.read(offsets.get((int) (from / STRIDE)), file.endBytes());
    for (long passed = from % STRIDE; passed > 0; passed--) {
      reader.next();
    }
    boolean more = true;
    while (more && reader.hasNext()) {
      more = sink.test(reader.next());
    }
  }

  /** One row, for the query that made the log: reading the rows before it counts as its work. */
  byte[] row(long index) {
    if (file == null) {
      return inMemory.get((int) index);
    }
    SpillFile.Reader reader = file.read(offsets.get((int) (index / STRIDE)), file.endBytes());
    for (long left = index % STRIDE; left > 0; left--) {
      space.count(reader.next().length);
    }
    return reader.next();
  }

  /** Keeps the rows until the use is closed; not after the log was. */
  synchronized Use use() {
    users++;
    return new Use();
  }

  /** Somebody who reads. */
  final class Use implements AutoCloseable {
    RowLog rows() {
      return RowLog.this;
    }

    @Override
    public void close() {
      synchronized (RowLog.this) {
        users--;
        end();
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    end();
  }

  private void end() {
    if (closed && users == 0 && file != null) {
      file.close();
    }
  }
}
