package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailedRequestTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration LATE = Duration.ofSeconds(30);

  @Test
  void whatAServerRefusesBeforeItHasWaitedIsEarly() {
    for (int status : List.of(408, 410, 503)) {
      assertTrue(told(status, 0, "away", SOON).isEarly(true));
      assertTrue(told(status, 0, "away", SOON).isEarly(false));
      assertFalse(told(status, 0, "away", LATE).isEarly(false));
    }
    assertTrue(told(410, 1002, "split", SOON).isEarly(true));
    assertFalse(told(429, 3200, "busy", SOON).isEarly(true));
    assertFalse(told(449, 0, "contended", SOON).isEarly(true));
  }

  @Test
  void lostAnswerOfADeadNodeIsNot() {
    var lost =
        told(
            503, 0, "This was done, but what it answered was lost with the node that did it", SOON);
    assertFalse(lost.isEarly(true));
    assertTrue(lost.isEarly(false));
  }

  @Test
  void scriptWhoseOwnTimeIsOverIsNot() {
    var stopped = told(408, 0, "The script ran longer than 5000 ms and was stopped", SOON);
    assertFalse(stopped.isEarly(false));
  }

  @Test
  void connectionsMayBreakOnlyWhereANodeIsHarmed() {
    for (Exception broken :
        List.of(new ConnectException("refused"), new IOException("received no bytes"))) {
      var failed = FailedRequest.unanswered(new UncheckedIOException(io(broken)), SOON);
      assertFalse(failed.isEarly(true));
      assertTrue(failed.isEarly(false));
    }
    var silent = FailedRequest.unanswered(new HttpTimeoutException("none"), LATE.multipliedBy(2));
    assertEquals("no answer", silent.kind());
    assertFalse(silent.isEarly(false));
  }

  private static IOException io(Exception broken) {
    return new IOException(broken);
  }

  /** What the SDK says of a server that has died is its own, and told by the substatus. */
  @Test
  void brokenConnectionOfTheSdkIsKnown() throws Exception {
    OrreryProcess.allowPlainHttp();
    try (OrreryProcess server =
            OrreryProcess.start(List.of("--memory", "--key", SharedServer.PRIMARY));
        CosmosClient client =
            new CosmosClientBuilder()
                .endpoint(server.endpoint("http").toString())
                .key(SharedServer.PRIMARY)
                .gatewayMode()
                .endpointDiscoveryEnabled(false)
                .buildClient()) {
      server.kill();
      var told = assertThrows(CosmosException.class, () -> client.getDatabase("d").read());
      var failed = FailedRequest.of(told, SOON);
      assertEquals("java 503/10001", failed.kind());
      assertFalse(failed.isEarly(true));
      assertTrue(failed.isEarly(false));
    }
  }

  @Test
  void ofSeveralRangesTheServersWordCounts() {
    var parts = List.<Throwable>of(new IllegalStateException("closed"), new Refusing());
    assertEquals("java 503/0", FailedRequest.of(parts, SOON).kind());
  }

  /** Not from a server, but as one from it. */
  private static final class Refusing extends CosmosException {
    private static final long serialVersionUID = 1;

    Refusing() {
      super(503, "Nobody could serve this");
    }
  }

  @Test
  void earlyOnesAreToldByKindWithTheirWaits() {
    var failures = new Failures();
    failures.add(told(503, 0, "away", SOON));
    failures.add(told(503, 0, "away", Duration.ofMillis(1_500)));
    failures.add(told(503, 0, "away", LATE));
    failures.add(told(408, 10_002, "plan", SOON));
    assertEquals(4, failures.count());
    assertEquals("408: 1, 503: 3", failures.toString());
    assertEquals(List.of("503 after 1.5 s, 5.0 s: away"), failures.early(true));
  }

  private static FailedRequest told(int status, int substatus, String text, Duration waited) {
    return new FailedRequest(Integer.toString(status), status, substatus, text, waited);
  }
}
