package io.orrery.cluster;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Function;

/** Stands between two nodes, lets their handshake pass and does what it is told with the frames. */
final class Relay implements AutoCloseable {
  /** Greeting, nonce and proof: as long in one direction as in the other. */
  static final int HANDSHAKE_BYTES = Greeting.BYTES + Secret.NONCE_BYTES + Secret.PROOF_BYTES;

  /** What is sent instead of a frame; nothing more is sent behind an empty array. */
  interface Edit extends Function<byte[], List<byte[]>> {}

  static final Edit NONE = List::of;

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final ByteArrayOutputStream asked = new ByteArrayOutputStream();
  private final int target;
  private final Edit requests;
  private final Edit answers;

  Relay(int target, Edit requests, Edit answers) throws IOException {
    this.target = target;
    this.requests = requests;
    this.answers = answers;
    Thread.startVirtualThread(this::accept);
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  /** All that was sent towards the target. */
  byte[] asked() {
    synchronized (asked) {
      return asked.toByteArray();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket caller = listener.accept();
        var answerer = new Socket(InetAddress.getLoopbackAddress(), target);
        Thread.startVirtualThread(() -> pump(caller, answerer, requests, asked));
        Thread.startVirtualThread(
            () -> pump(answerer, caller, answers, OutputStream.nullOutputStream()));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void pump(Socket from, Socket to, Edit edit, OutputStream copy) {
    try (from;
        to) {
      var in = new DataInputStream(from.getInputStream());
      for (int i = 0; i < HANDSHAKE_BYTES; i++) {
        write(to, copy, new byte[] {in.readByte()});
      }
      while (true) {
        for (byte[] bytes : edit.apply(frame(in))) {
          if (bytes.length == 0) {
            throw new EOFException("cut");
          }
          write(to, copy, bytes);
        }
      }
    } catch (IOException over) {
      // Both ends are closed, as a broken connection is.
    }
  }

  private static byte[] frame(DataInputStream in) throws IOException {
    int length = in.readInt();
    return ByteBuffer.allocate(4 + length).putInt(length).put(in.readNBytes(length)).array();
  }

  private static void write(Socket to, OutputStream copy, byte[] bytes) throws IOException {
    synchronized (copy) {
      copy.write(bytes);
    }
    to.getOutputStream().write(bytes);
    to.getOutputStream().flush();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
