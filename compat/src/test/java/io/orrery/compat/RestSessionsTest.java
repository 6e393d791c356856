package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Session tokens that reads are held to, as they stand on the wire. */
@OneAndFiveRanges
class RestSessionsTest {
  private final Rest rest;
  private final RestContainer container;
  private final String token;
  private final String range;
  private final long lsn;

  RestSessionsTest(Deployment deployment) {
    rest = Rest.over(deployment.scheme());
    container = RestContainer.create(deployment);
    token = container.put("a", "\"p\"").expect(201).header("x-ms-session-token");
    range = token.substring(0, token.indexOf(':'));
    lsn = Long.parseLong(token.substring(token.indexOf('#') + 1));
  }

  private Rest.Request read(String said) {
    return rest.get(container.doc("a")).key("[\"p\"]").header("x-ms-session-token", said);
  }

  @Test
  void tokensThatWereReachedAreServed() {
    read(token).send().expect(200);
    read(token + ",77:-1#5").send().expect(200);
    read(range + ":" + lsn).send().expect(200);
    read(range + ":1#" + lsn + "#0=" + lsn).send().expect(200);
    read(container.rid() + ":" + token).send().expect(200);
  }

  @Test
  void aTokenAheadOfTheServerIsWaitedForAndThenRefused() {
    long began = System.nanoTime();
    String ahead = range + ":-1#" + (lsn + 1_000);
    read(ahead).send().refused(404, 1002);
    assertTrue(System.nanoTime() - began >= 900_000_000L);
    read(token + "," + ahead).send().refused(404, 1002);
    rest.get(container.docs())
        .key("[\"p\"]")
        .header("x-ms-session-token", ahead)
        .send()
        .refused(404, 1002);
    read(ahead).header("x-ms-consistency-level", "Eventual").send().expect(200);
    rest.get(container.path()).header("x-ms-session-token", ahead).send().expect(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "0", "0:", "0:-1#", "0:-1#x", "0:1#2#x", ",", "0:-1#5,"})
  void brokenTokensAreRefused(String broken) {
    read(broken).send().refused(400, 0);
  }
}
