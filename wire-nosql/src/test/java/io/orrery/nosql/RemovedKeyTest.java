package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.orrery.http.AccountAccess;
import io.orrery.http.AuditTrail;
import io.orrery.http.OwnHosts;
import io.orrery.http.Patience;
import io.orrery.operation.AccountKeys;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A key is removed while the body of a request that it has signed is still on its way. */
class RemovedKeyTest {
  private static final String REMOVED = "cHJpbWFyeQ==";
  private static final String BODY = "{\"id\":\"late\"}";

  private final AtomicReference<AccountKeys> keys =
      new AtomicReference<>(keys(REMOVED, AccountKeys.WELL_KNOWN));
  private final ServerFixture server =
      new ServerFixture(config(), ServerFixture.emptyDatabase(), Patience.USUAL);

  private static AccountKeys keys(String... readWrite) {
    return new AccountKeys(List.of(readWrite), List.of());
  }

  private NosqlConfig config() {
    NosqlConfig plain = ServerFixture.config();
    return new NosqlConfig(
        plain.host(),
        plain.port(),
        null,
        new AccountAccess(keys::get, OwnHosts.ANY, AuditTrail.NONE),
        plain.limits(),
        plain.consistency(),
        plain.publicPages(),
        plain.observer(),
        plain.stopWithin(),
        plain.bounds());
  }

  @AfterEach
  void close() {
    server.close();
  }

  /** The status of a request whose head came before something, and its body after it. */
  private int statusAround(String key, Runnable event) {
    String head =
        "POST /dbs HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
            + ("Content-Length: " + BODY.length() + "\r\n")
            + Signature.now(key).lines("POST", "dbs")
            + "\r\n";
    try (RawClient client = server.connect()) {
      RawClient.Reply goAhead = client.send(head).reply();
      assertNotNull(goAhead);
      assertEquals(100, goAhead.status());
      event.run();
      RawClient.Reply answer = client.send(BODY).reply();
      assertNotNull(answer);
      return answer.status();
    }
  }

  @Test
  void opensNothingWithTheBody() {
    Runnable removal = () -> keys.set(keys(AccountKeys.WELL_KNOWN));
    assertEquals(401, statusAround(REMOVED, removal));
    assertEquals(404, server.client().get("dbs/late").status());
  }

  @Test
  void theOtherKeyGoesOn() {
    Runnable removal = () -> keys.set(keys(AccountKeys.WELL_KNOWN));
    assertEquals(201, statusAround(AccountKeys.WELL_KNOWN, removal));
    assertEquals(200, server.client().get("dbs/late").status());
  }
}
