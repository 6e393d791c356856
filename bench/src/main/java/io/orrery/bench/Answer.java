package io.orrery.bench;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A server's answer as it came: the head up to the empty line, and the body. */
record Answer(String head, String body) {
  private static final String HEAD_END = "\r\n\r\n";

  /** Sends one request on a connection of its own and waits for the answer. */
  static Answer to(String request, int port) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      var scanner = new AnswerScanner();
      ByteBuf in = Unpooled.buffer();
      while (scanner.answerBytes(in) < 0) {
        if (in.writeBytes(socket.getInputStream(), 16 << 10) < 0) {
          throw new BenchFault("The server closed the connection without an answer");
        }
      }
      return of(in.toString(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new BenchFault("No answer from the server: " + e, e);
    }
  }

  private static Answer of(String text) {
    int end = text.indexOf(HEAD_END) + HEAD_END.length();
    return new Answer(text.substring(0, end), text.substring(end));
  }

  Answer expect(int... statuses) {
    int status = Integer.parseInt(head.substring(9, 12));
    if (Arrays.stream(statuses).noneMatch(wanted -> wanted == status)) {
      throw new BenchFault("The server answered with an unexpected status:\n" + head + body);
    }
    return this;
  }

  /**
   * What the server put behind the item that was sent to it, its last brace included: the system
   * properties.
   */
  String tail(byte[] item) {
    String sent = new String(item, 0, item.length - 1, StandardCharsets.UTF_8);
    return body.startsWith(sent)
        ? body.substring(sent.length())
        : ",\"_\":\"" + ".".repeat(Math.max(0, body.length() - sent.length() - 8)) + "\"}";
  }

  /** The same of the first item in a page, its own last property being the note. */
  String tailOfFirstDocument() {
    int note = body.indexOf("\"note\":\"") + 8;
    int start = body.indexOf('"', note) + 1;
    return body.substring(start, body.indexOf('}', start) + 1);
  }

  /** The value of a header, empty if it is missing. */
  String header(String name) {
    String start = name + ":";
    return head.lines()
        .filter(line -> line.regionMatches(true, 0, start, 0, start.length()))
        .map(line -> line.substring(start.length()).strip())
        .findFirst()
        .orElse("");
  }

  void keep(Path file) throws IOException {
    Files.writeString(file, head + body);
  }

  static Answer kept(Path file) throws IOException {
    return of(Files.readString(file));
  }
}
