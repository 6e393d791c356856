package io.orrery.partition.format.v1;

import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.PartitionKey;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** The keys of entries. */
public final class Keys {
  public static final int SCHEMA = 1;

  public static final byte ITEM = 0x01;
  public static final byte PRIMARY = 0x02;
  public static final byte MEMBER = 0x03;
  public static final byte LATEST = 0x04;
  public static final byte HISTORY = 0x05;
  public static final byte LOGICAL = 0x06;
  public static final byte MARKER = 0x07;
  public static final byte INDEX = 0x08;
  public static final byte UNIQUE = 0x09;
  public static final byte PATH_COUNT = 0x0A;
  public static final byte INDEX_STATE = 0x0B;
  public static final byte SIZES = 0x0C;
  public static final byte EXPIRY = 0x0D;
  public static final byte TRIMMED = 0x0E;
  private static final byte TEXT = 0x08;
  private static final byte[] NO_TAIL = {};

  private Keys() {}

  /** The bytes P that all entries of a logical partition share. */
  public static byte[] logicalPartition(EffectivePartitionKey epk, PartitionKey key) {
    byte[] components = componentsOf(key);
    String hex = epk.hex();
    var out = ByteBuffer.allocate(hex.length() + 4 + 2 * components.length);
    for (int i = 0; i + 1 < hex.length(); i += 2) {
      escape(
          out,
          (byte)
              (HexFormat.fromHexDigit(hex.charAt(i)) << 4
                  | HexFormat.fromHexDigit(hex.charAt(i + 1))));
    }
    out.putShort((short) 0);
    for (byte b : components) {
      escape(out, b);
    }
    out.putShort((short) 0);
    return Arrays.copyOf(out.array(), out.position());
  }

  /** The partition key in P. */
  public static PartitionKey keyOf(byte[] logicalPartition) {
    int at = endOfPart(logicalPartition, 0);
    var components = ByteBuffer.wrap(unescaped(logicalPartition, at));
    List<KeyComponent> found = new ArrayList<>();
    while (components.hasRemaining()) {
      found.add(component(components));
    }
    return new PartitionKey(found);
  }

  private static KeyComponent component(ByteBuffer in) {
    byte kind = in.get();
    return switch (kind) {
      case 0x01 -> KeyComponent.Undefined.UNDEFINED;
      case 0x02 -> KeyComponent.Null.NULL;
      case 0x03 -> new KeyComponent.Bool(false);
      case 0x04 -> new KeyComponent.Bool(true);
      case 0x05 -> new KeyComponent.Num(in.getDouble());
      case TEXT -> {
        var utf8 = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(utf8);
        yield new KeyComponent.Text(new String(utf8, StandardCharsets.UTF_8));
      }
      default -> throw new IllegalArgumentException("Unknown component " + kind);
    };
  }

  /** Behind the two zero bytes that end the part which begins there. */
  private static int endOfPart(byte[] escaped, int from) {
    int at = from;
    while (escaped[at] != 0 || escaped[at + 1] != 0) {
      at += escaped[at] == 0 ? 2 : 1;
    }
    return at + 2;
  }

  private static byte[] unescaped(byte[] escaped, int from) {
    var out = ByteBuffer.allocate(escaped.length - from);
    int at = from;
    while (escaped[at] != 0 || escaped[at + 1] != 0) {
      out.put(escaped[at]);
      at += escaped[at] == 0 ? 2 : 1;
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  /** The effective partition key at the beginning of P. */
  public static EffectivePartitionKey epkOf(byte[] logicalPartition) {
    var hex = new StringBuilder(32);
    int at = 0;
    while (logicalPartition[at] != 0 || logicalPartition[at + 1] != 0) {
      HexFormat.of().withUpperCase().toHexDigits(hex, logicalPartition[at]);
      at += logicalPartition[at] == 0 ? 2 : 1;
    }
    return new EffectivePartitionKey(hex.toString());
  }

  public static byte[] item(long counter) {
    return ByteBuffer.allocate(9).put(ITEM).putLong(counter).array();
  }

  public static long counterOfItem(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1);
  }

  public static byte[] itemsEnd() {
    return new byte[] {ITEM + 1};
  }

  public static byte[] primary(byte[] logicalPartition, byte[] id) {
    return join(PRIMARY, logicalPartition, id);
  }

  public static byte[] member(byte[] logicalPartition, long counter) {
    return join(MEMBER, logicalPartition, ByteBuffer.allocate(8).putLong(counter).array());
  }

  public static long counterOfMember(byte[] key) {
    return ByteBuffer.wrap(key).getLong(key.length - 8);
  }

  public static byte[] latest(long lsn, long counter) {
    return ByteBuffer.allocate(17).put(LATEST).putLong(lsn).putLong(counter).array();
  }

  public static byte[] history(long lsn, long originRange, int position) {
    return ByteBuffer.allocate(21)
        .put(HISTORY)
        .putLong(lsn)
        .putLong(originRange)
        .putInt(position)
        .array();
  }

  public static long lsnOfHistory(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1);
  }

  public static int positionOfHistory(byte[] key) {
    return ByteBuffer.wrap(key).getInt(17);
  }

  public static byte[] historyStart() {
    return new byte[] {HISTORY};
  }

  public static byte[] historyEnd() {
    return new byte[] {HISTORY + 1};
  }

  public static byte[] logical(byte[] logicalPartition) {
    return join(LOGICAL, logicalPartition, NO_TAIL);
  }

  public static byte[] marker(byte[] logicalPartition) {
    return join(MARKER, logicalPartition, NO_TAIL);
  }

  public static byte[] unique(byte[] logicalPartition, int number, byte[] digest) {
    return join(
        UNIQUE,
        logicalPartition,
        ByteBuffer.allocate(2 + digest.length).putShort((short) number).put(digest).array());
  }

  /** What stands behind the kind: P in the key of a marker or a logical partition. */
  public static byte[] logicalPartitionOf(byte[] key) {
    var tail = new byte[key.length - 1];
    System.arraycopy(key, 1, tail, 0, tail.length);
    return tail;
  }

  public static byte[] markersStart() {
    return new byte[] {MARKER};
  }

  public static byte[] markersEnd() {
    return new byte[] {MARKER + 1};
  }

  /** Whose members, in order of effective partition keys, begin at that one. */
  public static byte[] membersFrom(EffectivePartitionKey epk) {
    return from(MEMBER, epk);
  }

  /** Where entries of a kind begin that are in order of effective partition keys. */
  public static byte[] from(byte kind, EffectivePartitionKey epk) {
    String hex = epk.hex();
    var out = ByteBuffer.allocate(2 * hex.length() + 3).put(kind);
    int at = 0;
    for (; at + 1 < hex.length(); at += 2) {
      escape(out, (byte) HexFormat.fromHexDigits(hex, at, at + 2));
    }
    if (at < hex.length()) {
      escape(out, (byte) (HexFormat.fromHexDigit(hex.charAt(at)) << 4));
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  /** What all members of a logical partition begin with. */
  public static byte[] membersOf(byte[] logicalPartition) {
    return join(MEMBER, logicalPartition, NO_TAIL);
  }

  public static byte[] latestStart() {
    return new byte[] {LATEST};
  }

  public static byte[] latestEnd() {
    return new byte[] {LATEST + 1};
  }

  public static byte[] index(byte[] term, long counter) {
    var key = new byte[1 + term.length + 8];
    key[0] = INDEX;
    System.arraycopy(term, 0, key, 1, term.length);
    putLong(key, 1 + term.length, counter);
    return key;
  }

  /** Where the entries of a term, and of those after it, begin. */
  public static byte[] indexFrom(byte[] term) {
    return join(INDEX, term, NO_TAIL);
  }

  public static byte[] termOfIndex(byte[] key) {
    return Arrays.copyOfRange(key, 1, key.length - 8);
  }

  public static byte[] pathCount(long hash) {
    return ByteBuffer.allocate(9).put(PATH_COUNT).putLong(hash).array();
  }

  public static byte[] indexState() {
    return new byte[] {INDEX_STATE};
  }

  public static byte[] sizes() {
    return new byte[] {SIZES};
  }

  public static byte[] expiry(long seconds, long counter) {
    return ByteBuffer.allocate(17).put(EXPIRY).putLong(seconds).putLong(counter).array();
  }

  public static long secondsOfExpiry(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1);
  }

  public static byte[] expiriesStart() {
    return new byte[] {EXPIRY};
  }

  public static byte[] expiriesEnd() {
    return new byte[] {EXPIRY + 1};
  }

  public static byte[] trimmed(EffectivePartitionKey min) {
    return join(TRIMMED, min.hex().getBytes(StandardCharsets.US_ASCII), NO_TAIL);
  }

  public static byte[] trimmedStart() {
    return new byte[] {TRIMMED};
  }

  public static byte[] trimmedEnd() {
    return new byte[] {TRIMMED + 1};
  }

  /** The hash that an index entry and a path's count begin with. */
  public static long pathOf(byte[] key) {
    return ByteBuffer.wrap(key).getLong(1);
  }

  /** The counter that keys of members, latest and index entries end with. */
  public static long counterAtEnd(byte[] key) {
    long counter = 0;
    for (int i = key.length - 8; i < key.length; i++) {
      counter = counter << 8 | (key[i] & 0xFF);
    }
    return counter;
  }

  /** The first key behind another one. */
  public static byte[] after(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** All keys with these first bytes and a counter behind them that is not below this one. */
  public static byte[] withCounter(byte[] prefix, long counter) {
    byte[] key = Arrays.copyOf(prefix, prefix.length + 8);
    putLong(key, prefix.length, counter);
    return key;
  }

  private static void putLong(byte[] into, int at, long number) {
    for (int i = 0; i < 8; i++) {
      into[at + i] = (byte) (number >>> (56 - 8 * i));
    }
  }

  private static byte[] join(byte kind, byte[] logicalPartition, byte[] tail) {
    var key = new byte[1 + logicalPartition.length + tail.length];
    key[0] = kind;
    System.arraycopy(logicalPartition, 0, key, 1, logicalPartition.length);
    System.arraycopy(tail, 0, key, 1 + logicalPartition.length, tail.length);
    return key;
  }

  private static void escape(ByteBuffer out, byte b) {
    out.put(b);
    if (b == 0) {
      out.put((byte) 0xFF);
    }
  }

  private static byte[] componentsOf(PartitionKey key) {
    if (key.components().size() == 1
        && key.components().getFirst() instanceof KeyComponent.Text(String text)) {
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      var out = ByteBuffer.allocate(3 + utf8.length);
      return out.put(TEXT).putShort((short) utf8.length).put(utf8).array();
    }
    var out = new ByteArrayOutputStream(32);
    for (KeyComponent component : key.components()) {
      switch (component) {
        case KeyComponent.Undefined u -> out.write(0x01);
        case KeyComponent.Null n -> out.write(0x02);
        case KeyComponent.Bool(boolean value) -> out.write(value ? 0x04 : 0x03);
        case KeyComponent.Num(double value) -> {
          out.write(0x05);
          out.writeBytes(ByteBuffer.allocate(8).putDouble(value).array());
        }
        case KeyComponent.Text text -> out.writeBytes(componentsOf(PartitionKey.of(text)));
      }
    }
    return out.toByteArray();
  }
}
