package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What still runs when its container is deleted and made again does not go on in the new one. */
class RunningWorkTest {
  private static final String DEFINITION =
      "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Hash\",\"version\":2}}";

  /** Long enough for the container to be made again meanwhile, wherever that is not slow. */
  private static final String SPINS = "var end = Date.now() + 700; while (Date.now() < end) {}";

  private final Rest rest = Rest.over("http");
  private final RestContainer container =
      RestContainer.create(rest, DEFINITION, 400).withScriptsReady();

  private void recreate() {
    rest.delete(container.path()).send().expect(204);
    rest.post("/dbs/" + container.database() + "/colls", DEFINITION).send().expect(201);
    BegunReads.fill(container, "a", "new", 0, 5);
  }

  private RestAnswer meets(Supplier<RestAnswer> work) throws Exception {
    CompletableFuture<RestAnswer> running = CompletableFuture.supplyAsync(work);
    TimeUnit.MILLISECONDS.sleep(200);
    recreate();
    List.of("sprocs", "triggers", "udfs").forEach(feed -> make(feed, "function () {}"));
    return running.get(60L * ServerStorage.TIMES_SLOWER, TimeUnit.SECONDS);
  }

  private void make(String feed, String source) {
    rest.post(
            container.path() + "/" + feed,
            "{\"id\":\"s\",\"body\":\"%s\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\"}"
                .formatted(source))
        .send()
        .expect(201);
  }

  private String items() {
    return RestQuery.rows(RestQuery.across(container, "SELECT * FROM c"), 100).toString();
  }

  private void isOfTheOldOne(RestAnswer answer) {
    assertFalse(answer.text().contains("new"), answer::text);
    assertTrue(List.of(200, 201, 400, 403, 404, 410).contains(answer.status()), answer::text);
    if (answer.status() < 300) {
      assertEquals(container.rid(), answer.header("x-ms-content-path"));
    }
    assertFalse(items().contains("late"), this::items);
  }

  @Test
  void aProcedure() throws Exception {
    make(
        "sprocs",
        "function () { var c = getContext().getCollection(); "
            + SPINS
            + " c.queryDocuments(c.getSelfLink(), 'SELECT * FROM c', function (e, rows) {"
            + " getContext().getResponse().setBody(rows); });"
            + " c.createDocument(c.getSelfLink(), {id: 'late', pk: 'a'}); }");
    isOfTheOldOne(
        meets(() -> rest.post(container.path() + "/sprocs/s", "[]").key("[\"a\"]").send()));
  }

  @Test
  void aTrigger() throws Exception {
    make("triggers", "function () { " + SPINS + " }");
    isOfTheOldOne(
        meets(
            () ->
                rest.post(container.docs(), "{\"id\":\"late\",\"pk\":\"a\"}")
                    .key("[\"a\"]")
                    .header("x-ms-documentdb-pre-trigger-include", "s")
                    .send()));
  }

  @Test
  void aQueryOfAToken() throws Exception {
    BegunReads.fill(container, "a", "old", 0, 2);
    make("udfs", "function () { " + SPINS + " return 1; }");
    String token = Permitted.whole(container, "Read").token();
    isOfTheOldOne(
        meets(
            () ->
                RestQuery.over(container, "SELECT c.mark, udf.s() AS n FROM c")
                    .key("[\"a\"]")
                    .showing(token)
                    .send()));
  }

  @Test
  void aProcedureWhoseTokenIsRevokedIsDoneAsAWholeOrNotAtAll() throws Exception {
    make(
        "sprocs",
        "function () { var c = getContext().getCollection(); "
            + SPINS
            + " c.createDocument(c.getSelfLink(), {id: 'late', pk: 'a'}); }");
    Permitted permitted = Permitted.key(container, "All", "a");
    String token = permitted.token();
    Supplier<RestAnswer> run =
        () -> rest.post(container.path() + "/sprocs/s", "[]").key("[\"a\"]").showing(token).send();
    CompletableFuture<RestAnswer> running = CompletableFuture.supplyAsync(run);
    TimeUnit.MILLISECONDS.sleep(200);
    rest.delete(permitted.userPath()).send().expect(204);
    RestAnswer answer = running.get(60L * ServerStorage.TIMES_SLOWER, TimeUnit.SECONDS);
    assertTrue(answer.status() == 200 || answer.status() == 403, answer::text);
    assertEquals(answer.status() == 200, items().contains("late"));
    run.get().refused(403, 0);
  }
}
