package io.orrery.partition.format.v1;

import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.StoredItem;
import io.orrery.operation.Ticks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The value of an item entry, read in place. */
public final class ItemRecord {
  private static final int LSN_AT = 1;
  private static final int POSITION_AT = 9;
  private static final int TICKS_AT = 11;
  private static final int TERMS_AT = 19;
  private static final int LOGICAL_AT = 23;

  private final long counter;
  private final byte[] value;
  private final ByteBuffer bytes;

  private ItemRecord(long counter, byte[] value) {
    this.counter = counter;
    this.value = value;
    this.bytes = ByteBuffer.wrap(value);
  }

  public static ItemRecord decode(long counter, byte[] value) {
    return new ItemRecord(counter, value);
  }

  /**
   * The record of an item as it is written.
   *
   * @param terms how many index terms the policy makes of it: part of the price of its removal
   */
  public static byte[] encode(StoredItem item, int terms, byte[] logicalPartition, byte[] id) {
    byte[] body = item.body().bytes().array();
    return ByteBuffer.allocate(LOGICAL_AT + 4 + logicalPartition.length + id.length + body.length)
        .put((byte) item.body().format().code())
        .putLong(item.lsn())
        .putShort((short) item.position())
        .putLong(item.commitTicks())
        .putInt(terms)
        .putShort((short) logicalPartition.length)
        .put(logicalPartition)
        .putShort((short) id.length)
        .put(id)
        .put(body)
        .array();
  }

  /**
   * The record of an item of which nothing but these is known.
   *
   * @param counter of an item whose own record is broken
   */
  public static ItemRecord unknown(long counter, byte[] logicalPartition, byte[] id) {
    var nothing = new StoredItem(counter, Body.json(""), 0, 0, 0);
    return decode(counter, encode(nothing, 0, logicalPartition, id));
  }

  /** Whether the record has all its parts, so that every method has an answer. */
  public boolean isWhole() {
    return value.length >= LOGICAL_AT + 2 && value.length >= idAt() + 2 && value.length >= bodyAt();
  }

  /** The bytes that the item's entry has. */
  public byte[] value() {
    return value;
  }

  public long counter() {
    return counter;
  }

  public long lsn() {
    return bytes.getLong(LSN_AT);
  }

  public long timestampSeconds() {
    return bytes.getLong(TICKS_AT) / Ticks.PER_SECOND;
  }

  public int terms() {
    return bytes.getInt(TERMS_AT);
  }

  public byte[] logicalPartition() {
    int from = LOGICAL_AT + 2;
    return Arrays.copyOfRange(value, from, from + logicalLength());
  }

  /** Whether the item's logical partition lies within the bounds. */
  public boolean isWithin(KeyBounds bounds) {
    int from = LOGICAL_AT + 2;
    return bounds.hold(value, from, from + logicalLength());
  }

  /** Whether the item belongs to that logical partition. */
  public boolean isIn(byte[] logicalPartition) {
    int logicalAt = LOGICAL_AT + 2;
    return Arrays.equals(
        value,
        logicalAt,
        logicalAt + logicalLength(),
        logicalPartition,
        0,
        logicalPartition.length);
  }

  /** Whether this is the item of that logical partition and id. */
  public boolean is(byte[] logicalPartition, byte[] id) {
    int idAt = idAt() + 2;
    return isIn(logicalPartition)
        && Arrays.equals(value, idAt, idAt + idLength(), id, 0, id.length);
  }

  public byte[] idBytes() {
    int from = idAt() + 2;
    return Arrays.copyOfRange(value, from, from + idLength());
  }

  public String id() {
    return new String(value, idAt() + 2, idLength(), StandardCharsets.UTF_8);
  }

  public int bodyBytes() {
    return value.length - bodyAt();
  }

  /** Whether these bytes occur in the body. */
  public boolean bodyHolds(byte[] wanted) {
    byte first = wanted[0];
    for (int at = bodyAt(); at <= value.length - wanted.length; at++) {
      if (value[at] == first
          && Arrays.equals(value, at, at + wanted.length, wanted, 0, wanted.length)) {
        return true;
      }
    }
    return false;
  }

  public StoredItem item() {
    var body = Bytes.of(Arrays.copyOfRange(value, bodyAt(), value.length));
    return new StoredItem(
        counter,
        new Body(Body.Format.of(bytes.get(0)), body),
        lsn(),
        Short.toUnsignedInt(bytes.getShort(POSITION_AT)),
        bytes.getLong(TICKS_AT));
  }

  private int logicalLength() {
    return Short.toUnsignedInt(bytes.getShort(LOGICAL_AT));
  }

  private int idAt() {
    return LOGICAL_AT + 2 + logicalLength();
  }

  private int idLength() {
    return Short.toUnsignedInt(bytes.getShort(idAt()));
  }

  private int bodyAt() {
    return idAt() + 2 + idLength();
  }
}
