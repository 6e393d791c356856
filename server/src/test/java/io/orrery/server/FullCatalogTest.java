package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.server.SignedClient.Target;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server with little memory whose client stores as many scripts as it can. */
class FullCatalogTest {
  private static final String CONTAINER = "dbs/d/colls/c";
  private static final String SOURCE = "function f() { return '" + "x".repeat(250_000) + "'; }";
  private static final int PAGE_CHARACTERS_MAX = 1_000_000;
  private static final int LISTINGS = 100;
  private static final Pattern ID = Pattern.compile("\"id\":\"(s\\d+)\"");

  @TempDir Path data;

  @Test
  void scriptsAreRefusedBeforeTheyFillTheMemoryAndListedInSmallPages() throws Exception {
    try (var server =
            ServerProcess.start(data, List.of("-Xmx256m", "-XX:+ExitOnOutOfMemoryError"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      SignedClient client = server.client();
      assertEquals(201, client.send(Target.feed("POST", "dbs", ""), "{\"id\":\"d\"}").statusCode());
      String container = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}";
      assertEquals(201, client.send(Target.feed("POST", "colls", "dbs/d"), container).statusCode());
      Set<String> created = fill(client);
      assertEquals(created, listed(client));
      List<Future<HttpResponse<String>>> listings = new ArrayList<>();
      for (int i = 0; i < LISTINGS; i++) {
        listings.add(threads.submit(() -> list(server.client(), Optional.empty())));
      }
      for (Future<HttpResponse<String>> listing : listings) {
        int status = listing.get().statusCode();
        assertTrue(status == 200 || status == 503, () -> "status " + status);
      }
      Target one = Target.one("DELETE", "sprocs", CONTAINER + "/sprocs/s0");
      assertEquals(204, client.send(one, "").statusCode());
      assertEquals(201, create(client, "s0").statusCode(), "there is room again");
    }
  }

  private static Set<String> fill(SignedClient client) throws IOException {
    Set<String> created = new HashSet<>();
    HttpResponse<String> answer = create(client, "s0");
    while (answer.statusCode() == 201) {
      created.add("s" + created.size());
      assertTrue(created.size() < 100, "nothing is refused");
      answer = create(client, "s" + created.size());
    }
    assertEquals(403, answer.statusCode());
    assertTrue(answer.body().contains("more memory"), answer.body());
    assertTrue(created.size() > 40, "few are kept: " + created);
    return created;
  }

  private static HttpResponse<String> create(SignedClient client, String id) throws IOException {
    String script = "{\"id\":\"" + id + "\",\"body\":\"" + SOURCE + "\"}";
    return client.send(Target.feed("POST", "sprocs", CONTAINER), script);
  }

  private static HttpResponse<String> list(SignedClient client, Optional<String> continuation)
      throws IOException {
    Target feed = Target.feed("GET", "sprocs", CONTAINER);
    return continuation.isPresent()
        ? client.send(feed, "", "x-ms-continuation", continuation.get())
        : client.send(feed, "");
  }

  private static Set<String> listed(SignedClient client) throws IOException {
    Set<String> ids = new HashSet<>();
    Optional<String> continuation = Optional.empty();
    do {
      HttpResponse<String> page = list(client, continuation);
      assertEquals(200, page.statusCode(), page.body());
      assertTrue(page.body().length() < PAGE_CHARACTERS_MAX, () -> "" + page.body().length());
      ID.matcher(page.body()).results().map(found -> found.group(1)).forEach(ids::add);
      continuation = page.headers().firstValue("x-ms-continuation");
    } while (continuation.isPresent());
    return ids;
  }
}
