package io.orrery.operation;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes with the equality of their content. The array is handed over: nobody changes it. */
public final class Bytes implements Comparable<Bytes>, Serializable {
  private static final long serialVersionUID = 1;

  public static final Bytes EMPTY = new Bytes(new byte[0]);

  private final byte[] content;

  private Bytes(byte[] content) {
    this.content = content;
  }

  /** A message that was changed may lack the content. */
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    if (content == null) {
      throw new InvalidObjectException("Bytes without content");
    }
  }

  public static Bytes of(byte[] content) {
    return new Bytes(content);
  }

  public static Bytes utf8(String text) {
    return new Bytes(text.getBytes(StandardCharsets.UTF_8));
  }

  public byte[] array() {
    return content;
  }

  public int size() {
    return content.length;
  }

  public String utf8() {
    return new String(content, StandardCharsets.UTF_8);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(content, other.content);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Bytes bytes && Arrays.equals(content, bytes.content);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(content);
  }

  @Override
  public String toString() {
    return "Bytes[" + content.length + "]";
  }
}
