package io.orrery.faults;

import io.orrery.operation.Vitals;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A server process whose calls on files are recorded, and whose power can be cut. */
final class PowerServer implements AutoCloseable {
  private static final Pattern STARTED = Pattern.compile("Started nosql=\\S*:(\\d+)");
  private static final Pattern VITALS =
      Pattern.compile("(?m)^orrery_vitals_total\\{symptom=\"(\\w+)\"} ([0-9.E]+)$");
  private static final long PATIENCE_SECONDS = 120;
  private static final long LOOK_EVERY_MILLIS = 5;
  private static final int EVENTS = 0;
  private static final int CUT_BEFORE = 8;
  private static final int CONTROL_BYTES = 16;

  private final Process process;
  private final MappedByteBuffer control;
  private final Path log;
  private int port;
  private boolean killed;

  private PowerServer(Process process, MappedByteBuffer control, Path log) {
    this.process = process;
    this.control = control;
    this.log = log;
  }

  /**
   * Where a server runs.
   *
   * @param disk the directory that loses what is not synced; it holds the data directory
   * @param work for the journal and the server's output
   */
  record Place(PowerLibrary library, Path disk, Path work) {
    Path data() {
      return disk.resolve("data");
    }

    Path journal() {
      return work.resolve("journal");
    }

    Path log() {
      return work.resolve("server.log");
    }
  }

  /**
   * Starts a server and does not wait for it.
   *
   * @param cutBefore the event before which the power goes; 0 for none
   */
  static PowerServer launch(Place place, long cutBefore, List<String> options) throws IOException {
    Files.deleteIfExists(place.journal());
    Files.createFile(place.journal());
    Path file = place.work().resolve("control");
    Files.write(file, new byte[CONTROL_BYTES]);
    MappedByteBuffer control;
    try (var channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      control = channel.map(FileChannel.MapMode.READ_WRITE, 0, CONTROL_BYTES);
    }
    control.order(ByteOrder.nativeOrder()).putLong(CUT_BEFORE, cutBefore);
    var words = new ArrayList<>(List.of("serve", "--port=0", "--table-port=off"));
    words.addAll(List.of("--throughput-enforcement=meter", "--data=" + place.data()));
    words.addAll(options);
    var builder = command(words);
    builder.environment().put("LD_PRELOAD", place.library().file().toString());
    builder.environment().put("POWERLOSS_ROOT", place.disk().toString());
    builder.environment().put("POWERLOSS_JOURNAL", place.journal().toString());
    builder.environment().put("POWERLOSS_CONTROL", file.toString());
    // Long enough for most cuts to find a write that is not synced.
    builder.environment().put("POWERLOSS_SYNC_MICROS", "1500");
    builder
        .directory(place.work().toFile())
        .redirectErrorStream(true)
        .redirectOutput(place.log().toFile());
    return new PowerServer(builder.start(), control, place.log());
  }

  /** One of the server's commands, from the class path of this process. */
  static ProcessBuilder command(List<String> words) {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-Xshare:auto",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                "io.orrery.server.Orrery"));
    command.addAll(words);
    return new ProcessBuilder(command);
  }

  /** Waits until it serves; false when it has ended before. */
  boolean awaitStarted() throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (System.nanoTime() < until) {
      boolean alive = process.isAlive();
      Matcher started = STARTED.matcher(log());
      if (started.find()) {
        port = Integer.parseInt(started.group(1));
        return true;
      }
      if (!alive) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_EVERY_MILLIS);
    }
    throw new IllegalStateException("The server neither serves nor ends:\n" + log());
  }

  int port() {
    return port;
  }

  /** How many changes and syncs of files there were so far. */
  long events() {
    return control.getLong(EVENTS);
  }

  /** Lets the power go before that many events from now have happened. */
  void cutIn(long events) {
    control.putLong(CUT_BEFORE, events() + events);
  }

  void cutNever() {
    control.putLong(CUT_BEFORE, 0);
  }

  /** Asks a healthy server to stop as an operator would. */
  void terminate() throws IOException {
    requireHealth();
    process.destroy();
  }

  /** The same; the power goes before that many events from now have happened. */
  void terminateAndCutIn(long events) throws IOException {
    requireHealth();
    cutIn(events);
    process.destroy();
  }

  /**
   * Looks at what never happens in a healthy server.
   *
   * @throws Finding when it has happened
   */
  void requireHealth() throws IOException {
    var page = URI.create("http://127.0.0.1:" + port + "/metrics").toURL();
    try (InputStream in = page.openStream()) {
      requireHealth(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  static void requireHealth(String metrics) {
    Map<String, Double> counts =
        VITALS
            .matcher(metrics)
            .results()
            .collect(Collectors.toMap(count -> count.group(1), PowerServer::count));
    boolean healthy = counts.values().stream().allMatch(count -> count == 0);
    if (!healthy || counts.size() != Vitals.Symptom.values().length) {
      throw new Finding("the server counted what never happens in a healthy one: " + counts);
    }
  }

  private static Double count(MatchResult count) {
    return Double.valueOf(count.group(2));
  }

  void kill() throws InterruptedException {
    killed = true;
    process.destroyForcibly();
    awaitEnd();
  }

  /** Whether it was ended from outside, perhaps between a call and its record. */
  boolean wasKilled() {
    return killed;
  }

  /** Waits for its end and returns the exit code. */
  int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new IllegalStateException("The server does not end");
    }
    return process.exitValue();
  }

  /** What it has said so far. */
  String log() {
    try {
      return Files.readString(log, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
