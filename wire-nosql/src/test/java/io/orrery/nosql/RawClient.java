package io.orrery.nosql;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A socket that sends what it is told and reads whole answers. */
final class RawClient implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  RawClient(InetSocketAddress address) {
    this(connected(new Socket(), address));
  }

  RawClient(Socket socket) {
    try {
      this.socket = socket;
      socket.setSoTimeout(PATIENCE_MILLIS);
      this.in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Socket connected(Socket socket, InetSocketAddress address) {
    try {
      socket.connect(address, PATIENCE_MILLIS);
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An answer: header names in lower case. */
  record Reply(int status, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name, "");
    }
  }

  RawClient send(String latin1) {
    return send(latin1.getBytes(StandardCharsets.ISO_8859_1));
  }

  RawClient send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next answer; null when the server has closed the connection. */
  @Nullable Reply reply() {
    try {
      String status = line();
      if (status == null) {
        return null;
      }
      Map<String, String> headers = new TreeMap<>();
      for (String line = line(); line != null && !line.isEmpty(); line = line()) {
        int colon = line.indexOf(':');
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
      int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        throw new EOFException("The body was cut off");
      }
      return new Reply(
          Integer.parseInt(Arrays.asList(status.split(" ", 3)).get(1)),
          headers,
          new String(body, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** As {@link #reply}, and null also when the connection was reset. */
  @Nullable Reply replyOrNull() {
    try {
      return reply();
    } catch (UncheckedIOException reset) {
      return null;
    }
  }

  /** Everything until the server closes. */
  String rest() {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until the server closes; true when it does so in order, not by a reset. */
  boolean isClosedInOrder() {
    try {
      return in.read() < 0;
    } catch (IOException e) {
      return false;
    }
  }

  private @Nullable String line() throws IOException {
    var bytes = new ByteArrayOutputStream();
    for (int next = in.read(); next >= 0; next = in.read()) {
      if (next == '\n') {
        return bytes.toString(StandardCharsets.ISO_8859_1).stripTrailing();
      }
      bytes.write(next);
    }
    return null;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
