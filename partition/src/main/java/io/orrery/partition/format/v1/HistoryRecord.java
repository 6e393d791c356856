package io.orrery.partition.format.v1;

import io.orrery.operation.Mark;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The value of a history entry: one change of one transaction.
 *
 * @param nameHigh of the mark of the request, with the low half; of the commit where there is none
 * @param counter the item's, or 0 where a whole logical partition is concerned
 * @param id empty where a whole logical partition is concerned
 */
public record HistoryRecord(
    long nameHigh, long nameLow, long ticks, Change change, long counter, String id) {

  /** What happened; the codes are part of the format. */
  public enum Change {
    CREATE(0),
    REPLACE(1),
    DELETE(2),
    DELETE_LOGICAL_PARTITION(3),
    EXPIRE(4);

    private final int code;

    Change(int code) {
      this.code = code;
    }

    private static Change of(int code) {
      for (Change change : values()) {
        if (change.code == code) {
          return change;
        }
      }
      throw new IllegalArgumentException("Unknown change " + code);
    }
  }

  /** Whether the request that has this mark made the change. */
  public boolean isOf(Mark mark) {
    return nameHigh == mark.high() && nameLow == mark.low();
  }

  public byte[] encode(byte[] logicalPartition) {
    byte[] idBytes = id.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(37 + logicalPartition.length + idBytes.length)
        .putLong(nameHigh)
        .putLong(nameLow)
        .putLong(ticks)
        .put((byte) change.code)
        .putLong(counter)
        .putShort((short) logicalPartition.length)
        .put(logicalPartition)
        .putShort((short) idBytes.length)
        .put(idBytes)
        .array();
  }

  /**
   * The same with images of the item, each as the item's entry has or had it.
   *
   * @param current null where it was deleted
   * @param previous null where it was created
   */
  public byte[] encode(
      byte[] logicalPartition, byte @Nullable [] current, byte @Nullable [] previous) {
    byte[] plain = encode(logicalPartition);
    var images =
        ByteBuffer.allocate(plain.length + 8 + lengthOf(current) + lengthOf(previous)).put(plain);
    putImage(images, current);
    putImage(images, previous);
    return images.array();
  }

  private static int lengthOf(byte @Nullable [] image) {
    return image == null ? 0 : image.length;
  }

  private static void putImage(ByteBuffer out, byte @Nullable [] image) {
    out.putInt(lengthOf(image));
    if (image != null) {
      out.put(image);
    }
  }

  /** Whether it was written where all versions are kept. */
  public static boolean hasImages(byte[] value) {
    return imagesAt(value) < value.length;
  }

  /** The item afterwards; null where there is none or it was not kept. */
  public static byte @Nullable [] currentOf(byte[] value) {
    return image(value, imagesAt(value));
  }

  /** The item before; null where there was none or it was not kept. */
  public static byte @Nullable [] previousOf(byte[] value) {
    int at = imagesAt(value);
    return at == value.length ? null : image(value, at + 4 + ByteBuffer.wrap(value).getInt(at));
  }

  private static byte @Nullable [] image(byte[] value, int at) {
    if (at == value.length) {
      return null;
    }
    int length = ByteBuffer.wrap(value).getInt(at);
    return length == 0 ? null : Arrays.copyOfRange(value, at + 4, at + 4 + length);
  }

  private static int imagesAt(byte[] value) {
    var bytes = ByteBuffer.wrap(value);
    int idAt = 37 + Short.toUnsignedInt(bytes.getShort(33));
    return idAt + Short.toUnsignedInt(bytes.getShort(idAt - 2));
  }

  /** P of the value of a history entry. */
  public static byte[] logicalPartitionOf(byte[] value) {
    int length = Short.toUnsignedInt(ByteBuffer.wrap(value).getShort(33));
    return Arrays.copyOfRange(value, 35, 35 + length);
  }

  public static HistoryRecord decode(byte[] value) {
    var bytes = ByteBuffer.wrap(value);
    int idAt = 37 + Short.toUnsignedInt(bytes.getShort(33));
    return new HistoryRecord(
        bytes.getLong(0),
        bytes.getLong(8),
        bytes.getLong(16),
        Change.of(bytes.get(24)),
        bytes.getLong(25),
        new String(
            value, idAt, Short.toUnsignedInt(bytes.getShort(idAt - 2)), StandardCharsets.UTF_8));
  }
}
