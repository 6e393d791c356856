package io.orrery.operation;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Resource ids ({@code _rid}): the path of a resource as bytes, in base64 with {@code -} for {@code
 * /}.
 */
public final class ResourceId {
  private static final int DATABASE_BYTES = 4;
  private static final int CONTAINER_BIT = 0x8000_0000;
  private static final long RANGE_TAG = 0x5000_0000_0000_0000L;

  private ResourceId() {}

  public static String database(int number) {
    return text(ByteBuffer.allocate(4).putInt(number));
  }

  public static String container(int database, int number) {
    return text(ByteBuffer.allocate(8).putInt(database).putInt(number | CONTAINER_BIT));
  }

  /** The rid of an item: its container's, then its counter with the lowest byte first. */
  public static String item(String containerRid, long counter) {
    return item(bytesOf(containerRid), counter);
  }

  /** The same, of a container whose rid was decoded already. */
  public static String item(byte[] container, long counter) {
    return below(container, counter);
  }

  public static String range(String containerRid, long number) {
    return below(bytesOf(containerRid), number | RANGE_TAG);
  }

  public static String user(int database, int number) {
    return text(ByteBuffer.allocate(8).putInt(database).putInt(number));
  }

  public static String permission(String userRid, long number) {
    return below(bytesOf(userRid), number);
  }

  /** The rid of the container that the rid of something in it begins with. */
  public static String containerOf(String rid) {
    return text(ByteBuffer.wrap(bytesOf(rid), 0, 8).slice());
  }

  /** The number in a container's rid. */
  public static int containerNumber(String rid) {
    return ByteBuffer.wrap(bytesOf(rid)).getInt(4) & ~CONTAINER_BIT;
  }

  /** The rid of a script: its container's, then its number with a mark of its kind. */
  public static String script(String containerRid, ScriptKind kind, long number) {
    return below(bytesOf(containerRid), number | tag(kind));
  }

  private static long tag(ScriptKind kind) {
    return switch (kind) {
      case STORED_PROCEDURE -> 0x8000_0000_0000_0000L;
      case TRIGGER -> 0x7000_0000_0000_0000L;
      case USER_DEFINED_FUNCTION -> 0x6000_0000_0000_0000L;
    };
  }

  public static String offer(int number) {
    return text(
        ByteBuffer.allocate(3)
            .put((byte) number)
            .put((byte) (number >> 8))
            .put((byte) (number >> 16)));
  }

  /** The rid of the database that a container's rid begins with. */
  public static String databaseOf(String containerRid) {
    return text(ByteBuffer.wrap(bytesOf(containerRid), 0, 4).slice());
  }

  /**
   * Whether the text could be the rid of something in the owner: ids that read so would hide it, or
   * be hidden by it.
   *
   * @param ownerRid of a database, a container or a user; null for databases themselves
   */
  public static boolean isWithin(@Nullable String ownerRid, String text) {
    byte @Nullable [] bytes = decode(text);
    if (bytes == null || ownerRid == null) {
      return bytes != null && bytes.length == DATABASE_BYTES;
    }
    byte[] owner = bytesOf(ownerRid);
    return bytes.length == (owner.length == DATABASE_BYTES ? 8 : 16)
        && Arrays.equals(bytes, 0, owner.length, owner, 0, owner.length);
  }

  /** The counter of an item's rid, or -1 when the text is no rid of an item in this container. */
  public static long counterOf(String containerRid, String itemRid) {
    byte @Nullable [] bytes = decode(itemRid);
    if (bytes == null || bytes.length != 16) {
      return -1;
    }
    var buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long counter = buffer.getLong(8);
    return counter >= 0 && item(containerRid, counter).equals(itemRid) ? counter : -1;
  }

  /** The bytes behind a rid, or null when the text is none. */
  public static byte @Nullable [] decode(String rid) {
    if (rid.length() % 4 != 0) {
      return null;
    }
    try {
      return Base64.getDecoder().decode(rid.replace('-', '/'));
    } catch (IllegalArgumentException notBase64) {
      return null;
    }
  }

  private static String below(byte[] container, long tail) {
    return text(
        ByteBuffer.allocate(16).put(container, 0, 8).order(ByteOrder.LITTLE_ENDIAN).putLong(tail));
  }

  /**
   * The bytes behind a rid of ours.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static byte[] bytesOf(String rid) {
    byte @Nullable [] bytes = decode(rid);
    if (bytes == null) {
      throw new IllegalArgumentException("Not a resource id: " + rid);
    }
    return bytes;
  }

  private static String text(ByteBuffer bytes) {
    var array = new byte[bytes.capacity()];
    bytes.get(0, array);
    return Base64.getEncoder().encodeToString(array).replace('/', '-');
  }
}
