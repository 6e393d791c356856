package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.operation.ThreadPriority;
import io.orrery.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What becomes of scripts when their process ends, and of processes when their scripts do. */
class ProcessesTest {
  private static final String GREEDY =
      "function f() { const b = new Array(1e7).fill(0); b.concat(...Array(200).fill(b)); }";
  private static final String READING =
      "function f() { __.readDocument(__.getAltLink() + '/docs/x', () =>"
          + " getContext().getResponse().setBody('read')); }";

  private final ScriptHost host =
      new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofSeconds(60)).with(2, 128L << 20));

  @AfterEach
  void close() {
    host.close();
  }

  @Test
  void scriptThatTakesAllMemoryEndsItsProcessOnly() throws Exception {
    var began = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    var other =
        CompletableFuture.supplyAsync(
            () ->
                run(
                    READING,
                    () -> {
                      began.countDown();
                      await(goOn);
                    }));
    await(began);
    ScriptRefused refused = assertThrows(ScriptRefused.class, () -> run(GREEDY, () -> {}));
    assertEquals(ScriptRefused.Reason.TOO_LARGE, refused.reason(), refused.text());
    assertTrue(refused.text().contains("128 MB"), refused.text());
    goOn.countDown();
    assertEquals("\"read\"", other.get(60, TimeUnit.SECONDS));
    assertEquals("\"read\"", run(READING, () -> {}));
  }

  @Test
  void scriptWhoseProcessIsKilledRunsAgain() {
    var steps = new AtomicInteger();
    String answer =
        run(
            READING,
            () -> {
              if (steps.incrementAndGet() == 1) {
                killProcesses();
              }
            });
    assertEquals("\"read\"", answer);
    assertEquals(2, steps.get());
  }

  @Test
  void scriptWhoseProcessIsKilledEachTimeIsInterrupted() {
    ScriptRefused refused =
        assertThrows(ScriptRefused.class, () -> run(READING, ProcessesTest::killProcesses));
    assertEquals(ScriptRefused.Reason.INTERRUPTED, refused.reason(), refused.text());
    assertEquals("\"read\"", run(READING, () -> {}));
  }

  @Test
  void functionThatTakesAllMemoryIsRefused() {
    var functions = host.functions(name -> new ScriptText(name, GREEDY), CallBudget.UNBOUNDED);
    ScriptRefused refused =
        assertThrows(ScriptRefused.class, () -> functions.call("f", List.of(Value.of(1))));
    assertEquals(ScriptRefused.Reason.TOO_LARGE, refused.reason(), refused.text());
  }

  @Test
  void functionInTheQueryOfAStepThatTakesAllMemoryIsRefusedAsTheScriptsOwn() {
    var functions = host.functions(name -> new ScriptText(name, GREEDY), CallBudget.UNBOUNDED);
    ScriptRefused refused =
        assertThrows(
            ScriptRefused.class,
            () ->
                run(
                    READING,
                    () ->
                        assertThrows(
                            ScriptRefused.class, () -> functions.call("f", List.of(Value.of(1))))));
    assertEquals(ScriptRefused.Reason.TOO_LARGE, refused.reason(), refused.text());
  }

  /**
   * As a process does that hangs in code which cannot be stopped. Nothing else is run in so little
   * time: a process that has just started may need more for its first script on a busy machine.
   */
  @Test
  @EnabledOnOs(OS.LINUX)
  void processThatDoesNotAnswerIsKilled() throws Exception {
    List<ProcessHandle> frozen = new CopyOnWriteArrayList<>();
    try (var hasty =
        new ScriptHost(ScriptSettings.DEFAULT.within(Duration.ofSeconds(3)).with(1, 128L << 20))) {
      ScriptRefused refused =
          assertThrows(
              ScriptRefused.class,
              () ->
                  run(
                      hasty,
                      READING,
                      () -> {
                        frozen.addAll(processes());
                        frozen.forEach(this::freeze);
                      }));
      assertEquals(ScriptRefused.Reason.TIMED_OUT, refused.reason(), refused.text());
      assertFalse(frozen.isEmpty());
      for (ProcessHandle process : frozen) {
        process.onExit().get(60, TimeUnit.SECONDS);
      }
    }
  }

  /**
   * Stops all threads of a process, and waits for that: {@code kill} returns before they have
   * stopped, each does when it is scheduled next.
   */
  private void freeze(ProcessHandle process) {
    try {
      new ProcessBuilder("kill", "-STOP", Long.toString(process.pid())).start().waitFor();
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!isFrozen(Path.of("/proc", Long.toString(process.pid()), "task"))) {
        assertTrue(System.nanoTime() < until, "it does not stop");
        Thread.sleep(1);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isFrozen(Path threads) throws IOException {
    try (var each = Files.newDirectoryStream(threads)) {
      for (Path thread : each) {
        if (!isStopped(thread)) {
          return false;
        }
      }
      return true;
    } catch (NoSuchFileException ended) {
      return true;
    }
  }

  /** Or has ended. */
  private static boolean isStopped(Path thread) throws IOException {
    try {
      return List.of("T", "Z", "X").contains(stat(thread)[0]);
    } catch (NoSuchFileException ended) {
      return true;
    }
  }

  @Test
  void answersAreDrawnFromTheMemoryOfScripts() {
    String large = "function f() { getContext().getResponse().setBody('x'.repeat(1e6)); }";
    Memory memory = Memory.process();
    long all = memory.boundBytes(Memory.Lane.SCRIPT);
    assertTrue(memory.tryTake(Memory.Lane.SCRIPT, all));
    try {
      ScriptRefused refused = assertThrows(ScriptRefused.class, () -> run(large, () -> {}));
      assertEquals(ScriptRefused.Reason.INTERRUPTED, refused.reason(), refused.text());
      assertTrue(refused.text().contains("fill the memory"), refused.text());
    } finally {
      memory.giveBack(Memory.Lane.SCRIPT, all);
    }
    assertEquals(1_000_002, run(large, () -> {}).length());
    assertEquals(0, memory.takenBytes(Memory.Lane.SCRIPT));
  }

  @Test
  void scriptOfAClientThatHasGoneEnds() {
    var gone = new AtomicBoolean();
    var documents =
        new HeldDocuments() {
          @Override
          public Reply perform(Step step) {
            gone.set(true);
            return super.perform(step);
          }
        };
    var computes =
        new ScriptText(
            "s",
            "function f() { __.readDocument(__.getAltLink() + '/docs/x', () => { for (;;); }); }");
    var asks =
        new ScriptText("s", "function f() { __.readDocument(__.getAltLink() + '/docs/x', f); }");
    for (ScriptText script : List.of(computes, asks)) {
      gone.set(false);
      ScriptRefused refused =
          assertThrows(
              ScriptRefused.class,
              () ->
                  host.inTurn(
                      Duration.ZERO,
                      gone::get,
                      () -> host.run(script, HeldDocuments.CALL, documents)));
      assertEquals(ScriptRefused.Reason.INTERRUPTED, refused.reason(), refused.text());
    }
    assertEquals("\"read\"", run(READING, () -> {}));
  }

  @Test
  void processesEndWithTheirHost() throws Exception {
    run(READING, () -> {});
    List<ProcessHandle> processes = processes();
    assertEquals(1, processes.size());
    host.close();
    processes.getFirst().onExit().get(60, TimeUnit.SECONDS);
  }

  /** Looked at while it starts: of a process that is confined only root reads that. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void processHasNothingOfTheServersEnvironment() throws IOException {
    Process process = ProcessCommand.start(ScriptSettings.DEFAULT);
    try {
      Path environment = Path.of("/proc", Long.toString(process.pid()), "environ");
      assertEquals("", Files.readString(environment));
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void processIsConfined() throws IOException {
    run(READING, () -> {});
    assertEquals(
        filters(ProcessHandle.current()) + 1,
        filters(processes().getFirst()),
        "system call filters");
  }

  @Test
  @EnabledOnOs(
      value = OS.LINUX,
      architectures = {"amd64", "aarch64"})
  void allThreadsOfTheProcessStepBack() throws Exception {
    run(READING, () -> {});
    var stepped =
        new FutureTask<>(
            () -> {
              ThreadPriority.stepBack();
              return Priority.of(Path.of("/proc/thread-self"));
            });
    Thread.ofPlatform().start(stepped).join();
    Path threads = Path.of("/proc", Long.toString(processes().getFirst().pid()), "task");
    try (var each = Files.newDirectoryStream(threads)) {
      for (Path thread : each) {
        try {
          assertEquals(stepped.get(), Priority.of(thread));
        } catch (NoSuchFileException ended) {
          // Such as one that compiled.
        }
      }
    }
  }

  /** What Linux shows of a thread; the slice only where the kernel has such. */
  private record Priority(int niceness, List<String> slice) {
    static Priority of(Path thread) throws IOException {
      Path scheduled = thread.resolve("sched");
      List<String> lines = Files.exists(scheduled) ? Files.readAllLines(scheduled) : List.of();
      return new Priority(
          Integer.parseInt(stat(thread)[16]),
          lines.stream().filter(line -> line.startsWith("se.slice")).toList());
    }
  }

  /** What follows the name of a thread, which may hold anything but ends with a bracket. */
  private static String[] stat(Path thread) throws IOException {
    String stat = Files.readString(thread.resolve("stat"));
    return stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
  }

  private static int filters(ProcessHandle process) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
        .filter(line -> line.startsWith("Seccomp_filters:"))
        .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
        .sum();
  }

  private static List<ProcessHandle> processes() {
    return ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
  }

  private static void killProcesses() {
    processes().forEach(ProcessHandle::destroyForcibly);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String run(String body, Runnable inStep) {
    return run(host, body, inStep);
  }

  private static String run(ScriptHost host, String body, Runnable inStep) {
    var documents =
        new HeldDocuments() {
          @Override
          public Reply perform(Step step) {
            inStep.run();
            return super.perform(step);
          }
        };
    return String.valueOf(
        host.inTurn(() -> host.run(new ScriptText("s", body), HeldDocuments.CALL, documents))
            .body());
  }
}
