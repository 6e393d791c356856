package io.orrery.operation;

import java.io.Serializable;

/** What a client sent or is to receive: bytes, and the format that gives them meaning. */
public record Body(Format format, Bytes bytes) implements Serializable {

  /** The formats a stored body may have; their numbers are part of the disk format. */
  public enum Format {
    JSON(0);

    private final int code;

    Format(int code) {
      this.code = code;
    }

    public int code() {
      return code;
    }

    public static Format of(int code) {
      for (Format format : values()) {
        if (format.code == code) {
          return format;
        }
      }
      throw new IllegalArgumentException("Unknown body format " + code);
    }
  }

  public static Body json(byte[] bytes) {
    return new Body(Format.JSON, Bytes.of(bytes));
  }

  public static Body json(String text) {
    return new Body(Format.JSON, Bytes.utf8(text));
  }
}
