package io.orrery.storage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts and deletes of single keys, at most one per key: the last one said wins. It takes what every
 * engine takes and refuses more. The arrays are handed over. Not thread safe.
 */
public final class Batch {
  public static final int KEY_BYTES_MAX = 8 << 10;
  public static final int VALUE_BYTES_MAX = 8 << 20;
  public static final int BATCH_BYTES_MAX = 32 << 20;
  public static final int ENTRIES_MAX = 50_000;

  /** From this size on a commit is large: it leaves room and turns to smaller ones. */
  public static final int LARGE_BYTES = 512 << 10;

  /** Stands for a key that was not in the batch. */
  private static final byte[] ABSENT = {};

  private final TreeMap<byte[], byte @Nullable []> changes = new TreeMap<>(Arrays::compareUnsigned);
  private long sizeBytes;
  private long changedBytes;

  /** What undoes the changes since the savepoint: each key and behind it what it had before. */
  private @Nullable List<byte @Nullable []> undo;

  private long savepointBytes;
  private long savepointChangedBytes;

  /** Makes what is changed from now on one that can be undone, and what was changed before not. */
  public void savepoint() {
    if (undo == null) {
      undo = new ArrayList<>();
    } else {
      undo.clear();
    }
    savepointBytes = sizeBytes;
    savepointChangedBytes = changedBytes;
  }

  /** Undoes what was changed since the savepoint. */
  @SuppressWarnings("ReferenceEquality") // absence is one object; an empty value is another
  public void rollBack() {
    if (undo == null) {
      throw new IllegalStateException("The batch has no savepoint");
    }
    for (int i = undo.size() - 2; i >= 0; i -= 2) {
      byte[] key = Objects.requireNonNull(undo.get(i));
      byte @Nullable [] former = undo.get(i + 1);
      if (former == ABSENT) {
        changes.remove(key);
      } else {
        changes.put(key, former);
      }
    }
    undo.clear();
    sizeBytes = savepointBytes;
    changedBytes = savepointChangedBytes;
  }

  public Batch put(byte[] key, byte[] value) {
    if (value.length > VALUE_BYTES_MAX) {
      throw new IllegalArgumentException("Value longer than " + VALUE_BYTES_MAX + " bytes");
    }
    change(key, value);
    return this;
  }

  public Batch delete(byte[] key) {
    change(key, null);
    return this;
  }

  /** What is changed, in key order; a null value deletes. */
  public NavigableMap<byte[], byte @Nullable []> changes() {
    return Collections.unmodifiableNavigableMap(changes);
  }

  public int entries() {
    return changes.size();
  }

  public long sizeBytes() {
    return sizeBytes;
  }

  /** The bytes of all that was put or deleted and not undone, also where another took its place. */
  public long changedBytes() {
    return changedBytes;
  }

  private void change(byte[] key, byte @Nullable [] value) {
    changedBytes += size(key, value);
    if (key.length > KEY_BYTES_MAX) {
      throw new IllegalArgumentException("Key longer than " + KEY_BYTES_MAX + " bytes");
    }
    if (changes.size() < ENTRIES_MAX && sizeBytes + size(key, value) <= BATCH_BYTES_MAX) {
      int before = changes.size();
      byte @Nullable [] replaced = changes.put(key, value);
      boolean again = changes.size() == before;
      note(key, again ? replaced : ABSENT);
      sizeBytes += size(key, value) - (again ? size(key, replaced) : 0);
    } else {
      changeNearLimit(key, value);
    }
  }

  /** There is only room for what takes the place of something. */
  private void changeNearLimit(byte[] key, byte @Nullable [] value) {
    boolean again = changes.containsKey(key);
    long after = sizeBytes - (again ? size(key, changes.get(key)) : 0) + size(key, value);
    if (after > BATCH_BYTES_MAX) {
      throw new BatchFull("Batch larger than " + BATCH_BYTES_MAX + " bytes");
    }
    if (!again && changes.size() == ENTRIES_MAX) {
      throw new BatchFull("Batch of more than " + ENTRIES_MAX + " entries");
    }
    byte @Nullable [] replaced = changes.put(key, value);
    note(key, again ? replaced : ABSENT);
    sizeBytes = after;
  }

  private void note(byte[] key, byte @Nullable [] former) {
    if (undo != null) {
      undo.add(key);
      undo.add(former);
    }
  }

  private static long size(byte[] key, byte @Nullable [] value) {
    return (long) key.length + (value == null ? 0 : value.length);
  }
}
