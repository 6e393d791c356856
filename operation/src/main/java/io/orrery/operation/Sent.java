package io.orrery.operation;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;

/** The words of the house as bytes, for the way to another node that runs the same version. */
public final class Sent {
  private static final int TYPICAL_BYTES = 4_096;

  private Sent() {}

  public static byte[] write(Serializable value) {
    var bytes = new ByteArrayOutputStream(TYPICAL_BYTES);
    try (var out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    } catch (IOException notAValue) {
      throw new UncheckedIOException(
          "Cannot be sent to another node: " + value.getClass().getName(), notAValue);
    }
    return bytes.toByteArray();
  }

  /**
   * What {@link #write} was given.
   *
   * @param packages whose types are admitted beside the words of the house
   * @throws UnreadableMessage when the bytes are anything else
   */
  public static Object read(byte[] message, String... packages) {
    try (var in = new ObjectInputStream(new ByteArrayInputStream(message))) {
      ObjectInputFilter filter = new SentFilter(message.length, packages);
      in.setObjectInputFilter(filter);
      Object value = in.readObject();
      if (in.read() != -1) {
        throw new UnreadableMessage("Bytes follow the value of a message", null);
      }
      return value;
    } catch (UnreadableMessage refused) {
      throw refused;
    } catch (IOException | ClassNotFoundException | RuntimeException | InternalError unreadable) {
      // Java's reader throws unchecked exceptions of many kinds for bytes that were changed, and
      // its immutable maps an InternalError for a key without a value.
      if (unreadable.getCause() instanceof UnreadableMessage refused) {
        throw refused;
      }
      throw new UnreadableMessage(
          "A message is not what nodes of this version send: " + unreadable.getMessage(),
          unreadable);
    }
  }
}
