package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;

/** The items of a benchmark: the same number always gives the same bytes, all of one length. */
final class Documents {
  private static final int VARIANTS = 256;
  private static final int ID_DIGITS = 12;
  private static final int KEY_DIGITS = 8;
  private static final String ID = "item-";
  private static final String KEY = "customer-";
  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  private final byte[][] variants = new byte[VARIANTS][];
  private final long keys;
  private final int idDigitsAt;
  private final int keyDigitsAt;

  private Documents(int bodyBytes, long keys) {
    this.keys = keys;
    var random = new SplittableRandom(42);
    for (int i = 0; i < VARIANTS; i++) {
      variants[i] = text(bodyBytes, random).getBytes(StandardCharsets.US_ASCII);
    }
    String first = new String(variants[0], StandardCharsets.US_ASCII);
    idDigitsAt = first.indexOf(ID) + ID.length();
    keyDigitsAt = first.indexOf(KEY) + KEY.length();
  }

  /** About ten properties, 1,024 bytes in all, over ten thousand logical partitions. */
  static Documents ofOneKilobyte() {
    return new Documents(1_024, 10_000);
  }

  /** Three properties; ten items share a logical partition. */
  static Documents small(long items) {
    return new Documents(0, Math.max(1, items / 10));
  }

  private static String text(int bodyBytes, SplittableRandom random) {
    var text = new StringBuilder("{\"id\":\"" + ID).repeat('0', ID_DIGITS);
    text.append("\",\"pk\":\"" + KEY).repeat('0', KEY_DIGITS);
    text.append("\",\"number\":").append(random.nextInt(10_000_000, 100_000_000));
    if (bodyBytes > 0) {
      text.append(",\"status\":\"shipped\",\"price\":").append(random.nextInt(100, 1_000));
      text.append(".25,\"express\":true,\"created\":\"2026-05-04T10:11:12Z\",\"tags\":[\"");
      text.append(letters(random, 8)).append("\",\"").append(letters(random, 8));
      text.append("\"],\"address\":{\"street\":\"").append(letters(random, 20));
      text.append("\",\"city\":\"").append(letters(random, 12));
      text.append("\",\"zip\":").append(random.nextInt(10_000, 100_000)).append("},\"note\":\"");
      text.append(letters(random, bodyBytes - text.length() - 2)).append('"');
    }
    return text.append('}').toString();
  }

  private static String letters(SplittableRandom random, int length) {
    var text = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      text.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
    }
    return text.toString();
  }

  int bodyBytes() {
    return variants[0].length;
  }

  static String id(long number) {
    return ID + digits(number, ID_DIGITS);
  }

  String key(long number) {
    return KEY + digits(number % keys, KEY_DIGITS);
  }

  byte[] body(long number) {
    var body = new byte[bodyBytes()];
    write(Unpooled.wrappedBuffer(body).clear(), number);
    return body;
  }

  void write(ByteBuf out, long number) {
    int start = out.writerIndex();
    out.writeBytes(variants[(int) (number % VARIANTS)]);
    putDigits(out, start + idDigitsAt, number, ID_DIGITS);
    putDigits(out, start + keyDigitsAt, number % keys, KEY_DIGITS);
  }

  /** Writes the key's digits over the zeros that stand at {@code index}. */
  void putKeyDigits(ByteBuf out, int index, long number) {
    putDigits(out, index, number % keys, KEY_DIGITS);
  }

  private static void putDigits(ByteBuf out, int index, long number, int digits) {
    long rest = number;
    for (int i = index + digits - 1; i >= index; i--) {
      out.setByte(i, (int) ('0' + rest % 10));
      rest /= 10;
    }
  }

  private static String digits(long number, int digits) {
    String text = Long.toString(number);
    return "0".repeat(digits - text.length()) + text;
  }
}
