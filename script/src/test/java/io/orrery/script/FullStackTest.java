package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FullStackTest {
  private static final int ROUNDS = Integer.getInteger("stack.rounds", 3);

  /** Each goes on where its stack is full, or nearly: there it is hardest to stop. */
  private static final List<String> SCRIPTS =
      List.of(
          "function f() { function g() { try { g(); } catch (e) { g(); } } for (;;) g(); }",
          "function f() { function g() { try { g(); } finally { g(); } } for (;;) g(); }",
          "function f() { function g() { try { g(); } catch (e) { for (;;); } } g(); }",
          "function f() { function g() { try { return "
              + "(1 + ".repeat(200)
              + "g()"
              + ")".repeat(200)
              + "; } catch (e) { for (;;); } } g(); }",
          "function f() { function* g() { try { yield* g(); } catch (e) { for (;;); } } for (const"
              + " x of g()); }",
          "function f() { const o = { get a() { try { return this.b; } finally { this.b; } }, get"
              + " b() { return this.a; } }; return o.a; }",
          "function f() { let p = {}; for (let i = 0; i < 1e4; i++) { p = new Proxy(p, {}); } for"
              + " (;;) { try { p.x; } catch (e) { } } }",
          "function f() { for (let n = 1e5; ; n *= 0.97) { let p = { get x() { for (;;); } }; for"
              + " (let i = 0; i < n; i++) { p = new Proxy(p, {}); } try { p.x; } catch (e) { } }"
              + " }");

  @Test
  void scriptThatFillsItsStackIsStopped() throws Exception {
    List<Future<?>> running = new ArrayList<>();
    try (var host = host(Duration.ofMillis(100));
        var threads = Executors.newFixedThreadPool(2)) {
      for (int round = 0; round < ROUNDS; round++) {
        for (String script : SCRIPTS) {
          running.add(
              threads.submit(() -> assertThrows(ScriptRefused.class, () -> run(host, script))));
        }
      }
      assertAll(running.stream().map(ended -> ended::get));
    }
  }

  @Test
  void thousandCallsInsideOfEachOtherHaveRoom() {
    String body =
        "function f() { function g(n) { return n === 0 ? 0 : 1 + g(n - 1); }"
            + " getContext().getResponse().setBody(g(1000)); }";
    try (var host = host(Duration.ofSeconds(60))) {
      ScriptAnswer answer =
          host.inTurn(
              () -> host.run(new ScriptText("s", body), HeldDocuments.CALL, new HeldDocuments()));
      assertEquals("1000", answer.body());
    }
  }

  @Test
  void scriptThatRunsWhenItsHostIsClosedIsStopped() throws Exception {
    var began = new CountDownLatch(1);
    var host = host(Duration.ofMinutes(5));
    var documents =
        new HeldDocuments() {
          @Override
          public Reply perform(Step step) {
            began.countDown();
            return super.perform(step);
          }
        };
    var script =
        new ScriptText(
            "s",
            "function f() { __.readDocument(__.getAltLink() + '/docs/x', () => { for (;;); }); }");
    var ended =
        CompletableFuture.runAsync(
            () -> host.inTurn(() -> host.run(script, HeldDocuments.CALL, documents)));
    began.await();
    host.close();
    var refused = assertThrows(ExecutionException.class, () -> ended.get(60, TimeUnit.SECONDS));
    var cause = assertInstanceOf(ScriptRefused.class, refused.getCause());
    assertEquals(ScriptRefused.Reason.TOO_BUSY, cause.reason());
  }

  private static ScriptHost host(Duration time) {
    return new ScriptHost(ScriptSettings.DEFAULT.within(time));
  }

  private static void run(ScriptHost host, String body) {
    host.inTurn(() -> host.run(new ScriptText("s", body), HeldDocuments.CALL, new HeldDocuments()));
  }
}
