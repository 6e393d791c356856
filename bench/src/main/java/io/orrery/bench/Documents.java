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
  static final int BATCH_ITEMS = 100;
  private static final int BATCH_DIGITS = 8;
  private static final int RANK_DIGITS = 9;
  private static final long RANKS = 1_000_000_000;
  private static final long RANK_STEP = 982_451_653; // prime, so that no two items share a rank
  private static final String BATCH = "batch-";
  private static final String RANK = "\"rank\":1";
  private static final String LETTERS =
      "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

  private final byte[][] variants = new byte[VARIANTS][];
  private final long keys;
  private final int inRow;
  private final long batches;
  private final int idDigitsAt;
  private final int keyDigitsAt;
  private final int batchDigitsAt;
  private final int rankDigitsAt;

  /** With {@code batches} of zero, items have neither batch nor rank. */
  private Documents(int bodyBytes, long keys, long batches) {
    this(bodyBytes, keys, 1, batches);
  }

  /** So many one after the other, {@code inRow}, share a key. */
  private Documents(int bodyBytes, long keys, int inRow, long batches) {
    this.keys = keys;
    this.inRow = inRow;
    this.batches = batches;
    var random = new SplittableRandom(42);
    for (int i = 0; i < VARIANTS; i++) {
      variants[i] = text(bodyBytes, batches > 0, random).getBytes(StandardCharsets.US_ASCII);
    }
    String first = new String(variants[0], StandardCharsets.US_ASCII);
    idDigitsAt = first.indexOf(ID) + ID.length();
    keyDigitsAt = first.indexOf(KEY) + KEY.length();
    batchDigitsAt = first.indexOf(BATCH) + BATCH.length();
    rankDigitsAt = first.indexOf(RANK) + RANK.length();
  }

  /** About ten properties, 1,024 bytes in all, over ten thousand logical partitions. */
  static Documents ofOneKilobyte() {
    return new Documents(1_024, 10_000, 0);
  }

  /** The same, a hundred one after the other in the same logical partition. */
  static Documents batched() {
    return new Documents(1_024, 10_000, BatchRequests.ITEMS, 0);
  }

  /**
   * The same with two properties to ask for: a batch, which a hundred items far from each other
   * share, and a rank of its own for each, in an order that has nothing to do with their numbers.
   */
  static Documents queried(long items) {
    return new Documents(1_024, 10_000, Math.max(1, items / BATCH_ITEMS));
  }

  /** Three properties; ten items share a logical partition. */
  static Documents small(long items) {
    return new Documents(0, Math.max(1, items / 10), 0);
  }

  private static String text(int bodyBytes, boolean queried, SplittableRandom random) {
    var text = new StringBuilder("{\"id\":\"" + ID).repeat('0', ID_DIGITS);
    text.append("\",\"pk\":\"" + KEY).repeat('0', KEY_DIGITS);
    text.append("\",\"number\":").append(random.nextInt(10_000_000, 100_000_000));
    if (queried) {
      text.append(",\"batch\":\"" + BATCH).repeat('0', BATCH_DIGITS);
      text.append("\"," + RANK).repeat('0', RANK_DIGITS);
    }
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
    return KEY + digits(keyOf(number), KEY_DIGITS);
  }

  private long keyOf(long number) {
    return number / inRow % keys;
  }

  static String batch(long batch) {
    return BATCH + digits(batch, BATCH_DIGITS);
  }

  /** How many batches there are. */
  long batches() {
    return batches;
  }

  long batchOf(long number) {
    return number % batches;
  }

  static long rankOf(long number) {
    return RANKS + number % RANKS * RANK_STEP % RANKS;
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
    putDigits(out, start + keyDigitsAt, keyOf(number), KEY_DIGITS);
    if (batches > 0) {
      putDigits(out, start + batchDigitsAt, batchOf(number), BATCH_DIGITS);
      putDigits(out, start + rankDigitsAt, rankOf(number), RANK_DIGITS);
    }
  }

  /** Writes the key's digits over the zeros that stand at {@code index}. */
  void putKeyDigits(ByteBuf out, int index, long number) {
    putDigits(out, index, keyOf(number), KEY_DIGITS);
  }

  /** The last digits of the number, in their place. */
  static void putDigits(ByteBuf out, int index, long number, int digits) {
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
