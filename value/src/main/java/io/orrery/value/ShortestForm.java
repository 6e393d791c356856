package io.orrery.value;

/**
 * Tells whether a JSON text is what {@link Json#write} would make of it, so that it can be stored
 * as it came. In doubt it says no. Looking costs about a tenth of writing.
 */
final class ShortestForm {
  private static final String SHORT_ESCAPES = "\"\\bfnrt";
  private static final int INTEGER_DIGITS_MAX = 18; // fits 64 bits
  private static final int EXACT_DIGITS_MAX = 15; // two such decimals never share a double
  private static final int PLAIN_DIGITS_MAX = 7; // Double.toString gives larger ones an exponent
  private static final int PLAIN_ZEROS_MAX = 2; // and smaller ones

  private final byte[] json;
  private int at;

  private ShortestForm(byte[] json) {
    this.json = json;
  }

  /** The bytes are a valid JSON text. */
  static boolean is(byte[] json) {
    return new ShortestForm(json).isShortest();
  }

  private boolean isShortest() {
    while (at < json.length) {
      byte next = json[at++];
      boolean shortest =
          switch (next) {
            case '"' -> string();
            case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(next);
            default -> next > ' '; // no white space, no byte order mark
          };
      if (!shortest) {
        return false;
      }
    }
    return true;
  }

  private boolean string() {
    while (true) {
      byte next = json[at++];
      if (next == '"') {
        return true;
      }
      if (next == '\\' && SHORT_ESCAPES.indexOf(json[at++]) < 0) {
        return false;
      }
    }
  }

  private boolean number(byte first) {
    int start = first == '-' ? at : at - 1;
    skipDigits();
    int whole = at - start;
    boolean zero = json[start] == '0'; // valid JSON has no other digit behind it
    if (at == json.length || json[at] != '.') {
      return whole <= INTEGER_DIGITS_MAX && !(zero && first == '-') && !exponent();
    }
    int point = at++;
    skipDigits();
    if (json[at - 1] == '0' || exponent()) {
      return false;
    }
    int zeros = 0;
    while (zero && json[point + 1 + zeros] == '0') {
      zeros++;
    }
    int digits = (zero ? 0 : whole) + (at - point - 1) - zeros;
    return digits <= EXACT_DIGITS_MAX && whole <= PLAIN_DIGITS_MAX && zeros <= PLAIN_ZEROS_MAX;
  }

  private boolean exponent() {
    return at < json.length && (json[at] | 0x20) == 'e';
  }

  private void skipDigits() {
    while (at < json.length && json[at] >= '0' && json[at] <= '9') {
      at++;
    }
  }
}
