package io.orrery.faults;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The life of one data directory: cuts the power of its server again and again, each time rebuilds
 * its directory as a disk could look, starts it, and compares what it serves with what it has
 * acknowledged.
 */
final class PowerRun {
  private static final int WRITERS = 4;
  private static final int LOAD_EVENTS_MOST = 900;
  private static final int STOP_EVENTS_MOST = 60;

  /** About as many as a start on an empty directory makes; most of them unpack a library. */
  private static final int FIRST_START_EVENTS = 1_660;

  private static final int START_EVENTS_OF_INTEREST = 160;
  private static final int SHOWN_LINES = 60;
  private static final long VERIFY_SECONDS = 120;

  /** RocksDB writes its own log through buffers of the C library, which are not recorded. */
  private static final Pattern UNRECORDED = Pattern.compile(".*/rocksdb/LOG(\\.old\\.\\d+)? .*");

  private static final Pattern ID = Pattern.compile("\"id\":\"(\\d+-\\d+-\\d+)\"");

  /** When the power goes. */
  enum Moment {
    LOAD,
    START,
    STOP,
    IDLE
  }

  /**
   * What a run is asked to do.
   *
   * @param moments of the cuts in turn; chance decides where there are none
   */
  record Plan(
      long seed,
      int rounds,
      List<Moment> moments,
      List<String> options,
      Path folder,
      PrintStream out) {}

  /** What a run has seen. */
  record Result(int cuts, long acknowledged, int syncedLogs) {}

  private final Plan plan;
  private final RandomGenerator random;
  private final PowerServer.Place place;
  private final Positions positions = new Positions();
  private final AtomicLong acknowledged = new AtomicLong();
  private final List<ItemWriter> writers = new ArrayList<>();
  private final Administrator administrator;
  private long startEvents = FIRST_START_EVENTS;
  private int syncedLogs;
  private Disk disk;

  PowerRun(Plan plan) throws IOException, InterruptedException {
    this.plan = plan;
    random = new SplittableRandom(plan.seed());
    Path folder = plan.folder().toRealPath();
    Path root = Folders.make(folder.resolve("disk"));
    place = new PowerServer.Place(PowerLibrary.compile(folder), root, folder);
    administrator = new Administrator(place.data().resolve("keys.yaml"));
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new ItemWriter(i, positions, acknowledged));
    }
    disk = Disk.load(root);
  }

  /**
   * Runs all rounds.
   *
   * @throws Finding when anything acknowledged is lost, or the server does not start
   */
  Result run() throws IOException, InterruptedException {
    for (int round = 0; round < plan.rounds(); round++) {
      List<Moment> given = plan.moments();
      Moment moment =
          given.isEmpty()
              ? Moment.values()[random.nextInt(Moment.values().length)]
              : given.get(round % given.size());
      try {
        round(round, moment);
      } catch (Finding found) {
        throw new Finding(
            "seed %d, round %d, %s: %s".formatted(plan.seed(), round, moment, found.getMessage()));
      }
    }
    try {
      finish();
    } catch (Finding found) {
      throw new Finding("seed %d, after all rounds: %s".formatted(plan.seed(), found.getMessage()));
    }
    return new Result(plan.rounds(), acknowledged.get(), syncedLogs);
  }

  private void round(int round, Moment moment) throws IOException, InterruptedException {
    long since = System.nanoTime();
    boolean verified = round > 0 && random.nextInt(3) == 0;
    if (verified) {
      verify();
    }
    disk = Disk.load(place.disk());
    long cutBefore = moment == Moment.START ? eventOfStart() : 0;
    long events;
    boolean exact;
    try (var server = PowerServer.launch(place, cutBefore, plan.options())) {
      serve(server, moment);
      events = server.events();
      exact = !server.wasKilled();
    }
    disk.replay(Journal.read(place.journal()));
    syncedLogs += disk.syncedLogs();
    if (exact) {
      requireAllRecorded();
    }
    String rebuilt = new PowerCut(disk, random).rebuild(place.disk());
    Folders.copy(place.disk(), place.work().resolve("rebuilt"));
    plan.out()
        .printf(
            Locale.ROOT,
            "round %d: cut in %s after %d events, %d writes acknowledged so far; %s%s; %.1f s%n",
            round,
            moment,
            events,
            acknowledged.get(),
            rebuilt,
            verified ? "; verified" : "",
            (System.nanoTime() - since) / 1e9);
  }

  private long eventOfStart() {
    long before = 1 + random.nextLong(startEvents);
    return random.nextInt(4) == 0
        ? before
        : Math.max(before, startEvents - random.nextLong(START_EVENTS_OF_INTEREST));
  }

  private void serve(PowerServer server, Moment moment) throws IOException, InterruptedException {
    if (!server.awaitStarted()) {
      if (moment == Moment.START && server.awaitEnd() == 137) {
        return;
      }
      throw new Finding("the server does not start:\n" + lastLines(server.log()));
    }
    server.cutNever();
    startEvents = server.events();
    try (var client = new Client(server.port())) {
      if (administrator.isPrepared()) {
        check(client, server.port());
      } else {
        administrator.prepare(client);
      }
    } catch (IOException e) {
      if (moment == Moment.START && server.awaitEnd() == 137) {
        return; // the event came before it was called off
      }
      throw e;
    }
    if (moment != Moment.START) {
      load(server, moment);
    } else {
      server.kill();
    }
    requireQuiet(server.log());
  }

  private void load(PowerServer server, Moment moment) throws IOException, InterruptedException {
    var ended = new AtomicReference<Boolean>(false);
    var failure = new AtomicReference<@Nullable Throwable>();
    var threads = new ArrayList<Thread>();
    try (var client = new Client(server.port())) {
      var starter = Thread.ofPlatform().uncaughtExceptionHandler((t, e) -> failure.set(e));
      for (ItemWriter writer : writers) {
        var choices = new SplittableRandom(random.nextLong());
        threads.add(starter.start(() -> writer.write(client, choices, ended::get)));
      }
      var choices = new SplittableRandom(random.nextLong());
      threads.add(starter.start(() -> administrator.work(client, choices, ended::get)));
      long events = 1 + random.nextLong(LOAD_EVENTS_MOST);
      long until = server.events() + events;
      switch (moment) {
        case LOAD -> server.cutIn(events);
        case STOP, IDLE, START -> {
          await(() -> server.events() >= until);
          if (moment == Moment.STOP) {
            server.terminateAndCutIn(1 + random.nextLong(STOP_EVENTS_MOST));
          } else {
            ended.set(true);
          }
        }
      }
      if (moment != Moment.IDLE) {
        server.awaitEnd();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      if (moment == Moment.IDLE) {
        server.requireHealth();
        server.kill();
      }
    }
    Throwable fault = failure.get();
    if (fault != null) {
      throw fault instanceof Finding found ? found : new IllegalStateException(fault);
    }
  }

  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.holds()) {
      if (System.nanoTime() > until) {
        throw new Finding("the server does not go on under load");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Everything acknowledged is there, and nothing else. */
  private void check(Client client, int port) throws IOException {
    positions.started();
    administrator.check(client, port);
    var expected = new ArrayList<String>();
    for (ItemWriter writer : writers) {
      writer.check(client);
      expected.addAll(writer.present());
    }
    Collections.sort(expected);
    List<String> listed = listed(client);
    if (!listed.equals(expected)) {
      throw new Finding("the feed has %s instead of %s".formatted(listed, expected));
    }
  }

  private static List<String> listed(Client client) throws IOException {
    var ids = new ArrayList<String>();
    String[] headers = {"x-ms-max-item-count", "100"};
    while (headers.length > 0) {
      Client.Answer page = client.send("GET", ItemWriter.CONTAINER + "/docs", "", headers);
      if (!page.isDone()) {
        throw new Finding("the feed: " + page.status() + " " + page.body());
      }
      ID.matcher(page.body()).results().forEach(id -> ids.add(id.group(1)));
      String more = page.header("x-ms-continuation");
      headers =
          more.isEmpty()
              ? new String[0]
              : new String[] {"x-ms-max-item-count", "100", "x-ms-continuation", more};
    }
    Collections.sort(ids);
    return ids;
  }

  /** A last start without a cut, a clean stop and an audit. */
  private void finish() throws IOException, InterruptedException {
    try (var server = PowerServer.launch(place, 0, plan.options())) {
      if (!server.awaitStarted()) {
        throw new Finding("the server does not start:\n" + lastLines(server.log()));
      }
      try (var client = new Client(server.port())) {
        if (administrator.isPrepared()) {
          check(client, server.port());
        }
      }
      server.terminate();
      server.awaitEnd();
      requireQuiet(server.log());
    }
    verify();
  }

  private void verify() throws IOException, InterruptedException {
    if (!Files.isDirectory(place.data().resolve("rocksdb"))) {
      return;
    }
    Path output = place.work().resolve("verify.log");
    Process process =
        PowerServer.command(List.of("verify", "--data", place.data().toString()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (!process.waitFor(VERIFY_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new Finding("the audit does not end");
    }
    if (process.exitValue() != 0) {
      throw new Finding(
          "the audit fails:\n" + lastLines(Files.readString(output, StandardCharsets.UTF_8)));
    }
  }

  private void requireAllRecorded() throws IOException {
    List<String> unseen =
        disk.differences(place.disk()).stream()
            .filter(line -> !UNRECORDED.matcher(line).matches())
            .toList();
    if (!unseen.isEmpty()) {
      throw new IllegalStateException("Changes that were not recorded: " + unseen);
    }
  }

  private static void requireQuiet(String log) {
    if (log.contains(" ERROR ")) {
      throw new Finding("the server complains:\n" + lastLines(log));
    }
  }

  private static String lastLines(String log) {
    List<String> lines = log.lines().toList();
    return String.join("\n", lines.subList(Math.max(0, lines.size() - SHOWN_LINES), lines.size()));
  }
}
