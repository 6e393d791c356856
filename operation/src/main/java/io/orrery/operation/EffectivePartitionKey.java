package io.orrery.operation;

import java.io.Serializable;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import org.apache.commons.codec.digest.MurmurHash3;

/**
 * The hash of a partition key: an upper-case hex string, ordered as text. It decides the physical
 * partition. The forms are those the official clients compute (their 87 vectors are a test).
 */
public record EffectivePartitionKey(String hex)
    implements Serializable, Comparable<EffectivePartitionKey> {
  public static final EffectivePartitionKey MIN = new EffectivePartitionKey("");
  public static final EffectivePartitionKey MAX = new EffectivePartitionKey("FF");

  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  /** What no hash reaches: two bits of the first byte are not used. */
  private static final String V2_END = "40";

  private static final long HASHES_V1 = 1L << 32;
  private static final int V1_TEXT_UNITS_MAX = 100;
  private static final int V1_BINARY_BYTES_MAX = 100;

  @Override
  public int compareTo(EffectivePartitionKey other) {
    return hex.compareTo(other.hex);
  }

  public static EffectivePartitionKey of(PartitionKey key, PartitionKeyDefinition definition) {
    if (key.components().isEmpty()) {
      return MIN;
    }
    return new EffectivePartitionKey(
        switch (definition.hashing()) {
          case HASH_V1 -> hashV1(key);
          case HASH_V2 -> hashV2(key);
          case MULTI_HASH -> multiHash(key);
        });
  }

  /** The range of all keys that begin with these components of a hierarchical key. */
  public static EpkRange rangeOf(PartitionKey key, PartitionKeyDefinition definition) {
    EffectivePartitionKey epk = of(key, definition);
    if (key.components().isEmpty()) {
      return EpkRange.ALL;
    }
    boolean prefix = key.components().size() < definition.paths().size();
    // A full key is a single point: nothing sorts between it and itself followed by a zero digit.
    return new EpkRange(epk, new EffectivePartitionKey(epk.hex + (prefix ? "FF" : "0")));
  }

  private static String hashV2(PartitionKey key) {
    var bytes = new KeyBytes();
    key.components().forEach(component -> bytes.hashed(component, 0xFF));
    return murmur128(bytes.toByteArray());
  }

  private static String multiHash(PartitionKey key) {
    var hex = new StringBuilder();
    for (KeyComponent component : key.components()) {
      var bytes = new KeyBytes();
      bytes.hashed(component, 0xFF);
      hex.append(murmur128(bytes.toByteArray()));
    }
    return hex.toString();
  }

  private static String murmur128(byte[] input) {
    long[] hash = MurmurHash3.hash128x64(input, 0, input.length, 0);
    byte[] bytes =
        ByteBuffer.allocate(16)
            .order(ByteOrder.BIG_ENDIAN)
            .putLong(hash[1])
            .putLong(hash[0])
            .array();
    bytes[0] &= 0x3F;
    return HEX.formatHex(bytes);
  }

  private static String hashV1(PartitionKey key) {
    var hashed = new KeyBytes();
    var truncated = key.components().stream().map(EffectivePartitionKey::truncate).toList();
    truncated.forEach(component -> hashed.hashed(component, 0x00));
    byte[] input = hashed.toByteArray();
    int hash = MurmurHash3.hash32x86(input, 0, input.length, 0);
    var binary = new KeyBytes();
    binary.sortable(new KeyComponent.Num(Integer.toUnsignedLong(hash)), V1_BINARY_BYTES_MAX);
    truncated.forEach(component -> binary.sortable(component, V1_BINARY_BYTES_MAX));
    return HEX.formatHex(binary.toByteArray());
  }

  private static KeyComponent truncate(KeyComponent component) {
    return component instanceof KeyComponent.Text(String text) && text.length() > V1_TEXT_UNITS_MAX
        ? new KeyComponent.Text(text.substring(0, V1_TEXT_UNITS_MAX))
        : component;
  }

  /** The V1 key whose hash is {@code hash} and that sorts before all others of that hash. */
  public static EffectivePartitionKey ofHashV1(long hash) {
    var binary = new KeyBytes();
    binary.sortable(new KeyComponent.Num(hash), V1_BINARY_BYTES_MAX);
    return new EffectivePartitionKey(HEX.formatHex(binary.toByteArray()));
  }

  /** The first key of the hash space whose leading 64 bits are these. */
  public static EffectivePartitionKey ofHashV2(long leadingBits) {
    return new EffectivePartitionKey(HEX.toHexDigits(leadingBits) + "0".repeat(16));
  }

  /** A key that halves the hash space between two others, the first inclusive; may be the first. */
  public static EffectivePartitionKey between(EpkRange range, PartitionKeyDefinition.Hashing how) {
    return switch (how) {
      case HASH_V1 -> ofHashV1((hashOfV1(range.min()) + hashOfV1(range.max())) >>> 1);
      case HASH_V2, MULTI_HASH -> {
        int digits = Math.max(32, Math.max(range.min().hex.length(), range.max().hex.length()));
        BigInteger sum = padded(range.min(), digits).add(padded(range.max(), digits));
        String hex = sum.shiftRight(1).toString(16).toUpperCase(Locale.ROOT);
        yield new EffectivePartitionKey("0".repeat(digits - hex.length()) + hex);
      }
    };
  }

  private static BigInteger padded(EffectivePartitionKey epk, int digits) {
    String hex = epk.equals(MAX) ? V2_END : epk.hex;
    return new BigInteger(hex + "0".repeat(digits - hex.length()), 16);
  }

  /** The hash that a V1 key begins with; the ends of the space have theirs too. */
  private static long hashOfV1(EffectivePartitionKey epk) {
    if (epk.equals(MIN) || epk.equals(MAX)) {
      return epk.equals(MIN) ? 0 : HASHES_V1;
    }
    byte[] bytes = HEX.parseHex(epk.hex);
    long payload = (bytes[1] & 0xFFL) << 56;
    int shift = 56;
    int at = 2;
    do {
      shift -= 7;
      payload |= (bytes[at] & 0xFEL) >>> 1 << shift;
    } while ((bytes[at++] & 1) == 1);
    return (long) Double.longBitsToDouble(payload ^ Long.MIN_VALUE);
  }

  /** Whether it lies among the keys of this hashing, so that there can be some on both sides. */
  public boolean isAmong(PartitionKeyDefinition.Hashing how) {
    return switch (how) {
      case HASH_V1 -> beginsWithHashV1();
      case HASH_V2, MULTI_HASH -> !hex.isEmpty() && hex.compareTo(V2_END) < 0;
    };
  }

  private boolean beginsWithHashV1() {
    try {
      long hash = hashOfV1(this);
      return hex.startsWith("05") && hash < HASHES_V1 && hex.startsWith(ofHashV1(hash).hex);
    } catch (IllegalArgumentException | IndexOutOfBoundsException notOne) {
      return false;
    }
  }

  /** The bytes of components in the two forms that hashing knows. */
  private static final class KeyBytes {
    private final java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();

    byte[] toByteArray() {
      return out.toByteArray();
    }

    void hashed(KeyComponent component, int textEnd) {
      switch (component) {
        case KeyComponent.Undefined u -> out.write(0x00);
        case KeyComponent.Null n -> out.write(0x01);
        case KeyComponent.Bool(boolean value) -> out.write(value ? 0x03 : 0x02);
        case KeyComponent.Num(double value) -> {
          out.write(0x05);
          long bits = Double.doubleToRawLongBits(value);
          for (int shift = 0; shift < 64; shift += 8) {
            out.write((int) (bits >>> shift));
          }
        }
        case KeyComponent.Text(String text) -> {
          out.write(0x08);
          out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
          out.write(textEnd);
        }
      }
    }

    void sortable(KeyComponent component, int textBytesMax) {
      switch (component) {
        case KeyComponent.Undefined u -> out.write(0x00);
        case KeyComponent.Null n -> out.write(0x01);
        case KeyComponent.Bool(boolean value) -> out.write(value ? 0x03 : 0x02);
        case KeyComponent.Num(double value) -> sortableNumber(value);
        case KeyComponent.Text(String text) -> sortableText(text, textBytesMax);
      }
    }

    private void sortableNumber(double value) {
      out.write(0x05);
      long bits = Double.doubleToRawLongBits(value);
      long payload = bits >= 0 ? bits ^ Long.MIN_VALUE : ~bits + 1;
      out.write((int) (payload >>> 56));
      payload <<= 8;
      // Seven bits at a time, each group followed by a one where another group comes.
      do {
        int group = (int) (payload >>> 56) & 0xFE;
        payload <<= 7;
        out.write(payload != 0 ? group | 1 : group);
      } while (payload != 0);
    }

    private void sortableText(String text, int bytesMax) {
      out.write(0x08);
      byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
      boolean whole = utf8.length <= bytesMax;
      int length = whole ? utf8.length : bytesMax + 1;
      for (int i = 0; i < length; i++) {
        out.write(utf8[i] + 1);
      }
      if (whole) {
        out.write(0x00);
      }
    }
  }
}
