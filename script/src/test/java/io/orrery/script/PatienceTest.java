package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Scripts whose documents let them wait for longer than they may run. */
class PatienceTest {
  private static final Duration TIME = Duration.ofSeconds(4);
  private static final Duration LONGER = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final ScriptHost HOST = new ScriptHost(ScriptSettings.DEFAULT.within(TIME));

  /** Tells how many steps were accepted. */
  private static final String STEPS =
      """
      function f() {
        const collection = getContext().getCollection();
        let accepted = 0;
        function next() {
          getContext().getResponse().setBody(accepted);
          if (accepted < LIMIT && collection.readDocument('dbs/d/colls/c/docs/a', () => next())) {
            accepted++;
          }
        }
        next();
      }
      """;

  private final HeldDocuments held = new HeldDocuments();
  private final AtomicInteger steps = new AtomicInteger();

  /** What a step does before it is done. */
  private interface Delay {
    void pass() throws InterruptedException;
  }

  @BeforeAll
  static void warmUp() {
    // Where the machine is slow and the engine still cold, not even this is done in its time.
    while (true) {
      try {
        new PatienceTest().run(PATIENCE, "function f() { }", () -> {});
        return;
      } catch (ScriptRefused e) {
        assertEquals(ScriptRefused.Reason.TIMED_OUT, e.reason(), e.text());
      }
    }
  }

  @AfterAll
  static void close() {
    HOST.close();
  }

  @Test
  void waitingForTheStorageIsNotTheScriptsTime() {
    assertEquals("2", run(PATIENCE, steps(2), () -> Thread.sleep(LONGER)));
    assertEquals(2, steps.get());
  }

  @Test
  void waitingIsTheScriptsTimeWhereNobodyIsPatient() {
    timesOut(Duration.ZERO, steps(1), () -> Thread.sleep(LONGER));
  }

  @Test
  void patienceEnds() {
    timesOut(Duration.ofSeconds(2), steps(1), () -> Thread.sleep(LONGER.multipliedBy(3)));
  }

  @Test
  void whatTheScriptDoesAfterwardsIsItsTime() {
    String body =
        """
        function f() {
          getContext().getCollection().readDocument(
            'dbs/d/colls/c/docs/a', () => { for (;;); });
        }
        """;
    timesOut(PATIENCE, body, () -> Thread.sleep(LONGER));
  }

  /** Each of them takes less than what is waiting. */
  @Test
  void manyShortStepsAreTheScriptsTime() {
    int millis = 250;
    String accepted = run(PATIENCE, steps(1_000), () -> Thread.sleep(millis));
    assertTrue(Integer.parseInt(accepted) <= TIME.toMillis() / millis, accepted);
  }

  @Test
  void functionInTheQueryOfAStepHasNoMoreTime() {
    var functions =
        HOST.functions(
            name -> new ScriptText(name, "function g(x) { for (;;); return x; }"),
            CallBudget.UNBOUNDED);
    timesOut(
        PATIENCE,
        steps(1),
        () -> {
          var _ = functions.call("g", List.of(Value.of(1)));
        });
  }

  @Test
  void waitingBetweenFunctionsOfAStepIsForgivenToo() {
    var functions =
        HOST.functions(
            name -> new ScriptText(name, "function g(x) { return x; }"), CallBudget.UNBOUNDED);
    String accepted =
        run(
            PATIENCE,
            steps(1),
            () -> {
              assertEquals(Value.of(1.0), functions.call("g", List.of(Value.of(1))));
              Thread.sleep(LONGER);
              assertEquals(Value.of(2.0), functions.call("g", List.of(Value.of(2))));
            });
    assertEquals("1", accepted);
  }

  @Test
  void patientScriptWaitsLongerForItsTurn() throws Exception {
    var threads =
        IntStream.range(0, ScriptSettings.DEFAULT.processes())
            .mapToObj(
                i ->
                    Thread.ofPlatform()
                        .start(
                            () ->
                                new PatienceTest()
                                    .run(
                                        PATIENCE, steps(1), () -> Thread.sleep(LONGER.plus(TIME)))))
            .toList();
    assertEquals("0", run(PATIENCE, steps(0), () -> {}));
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static String steps(int limit) {
    return STEPS.replace("LIMIT", Integer.toString(limit));
  }

  private void timesOut(Duration patience, String body, Delay delay) {
    ScriptRefused refused = assertThrows(ScriptRefused.class, () -> run(patience, body, delay));
    assertEquals(ScriptRefused.Reason.TIMED_OUT, refused.reason(), refused.text());
  }

  private String run(Duration patience, String body, Delay delay) {
    var documents = new SlowDocuments(delay);
    return String.valueOf(
        HOST.inTurn(
                patience,
                () -> false,
                () -> HOST.run(new ScriptText("s", body), HeldDocuments.CALL, documents))
            .body());
  }

  private final class SlowDocuments implements Documents {
    private final Delay delay;

    SlowDocuments(Delay delay) {
      this.delay = delay;
    }

    @Override
    public Reply perform(Step step) {
      steps.incrementAndGet();
      try {
        delay.pass();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // stopped
      }
      return held.perform(step);
    }

    @Override
    public boolean accepts() {
      return held.accepts();
    }

    @Override
    public String quota() {
      return held.quota();
    }

    @Override
    public String usage() {
      return held.usage();
    }
  }
}
