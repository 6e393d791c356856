package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Resource tokens end between the pages of what their holders read, and before what they write. */
class RevokedTokensTest {
  private static OrreryProcess server;
  private static Rest rest;

  @BeforeAll
  static void start() {
    var options = new ArrayList<>(SharedServer.keyOptions());
    options.addAll(List.of("--memory", "--clock=virtual"));
    server = OrreryProcess.start(options);
    rest = Rest.to(server);
  }

  @AfterAll
  static void stop() {
    assertEquals(List.of(), server.complaints());
    server.close();
  }

  /** How a right ends. */
  enum Ending {
    TIME {
      @Override
      void end(Permitted permitted) {
        rest.post("/_orrery/clock/advance", "{\"milliseconds\":60000}").send().expect(200);
      }
    },
    PERMISSION_DELETED {
      @Override
      void end(Permitted permitted) {
        rest.delete(permitted.path()).send().expect(204);
      }
    },
    PERMISSION_REPLACED {
      @Override
      void end(Permitted permitted) {
        String smaller = permitted.definition().replace("\"All\"", "\"Read\"");
        rest.put(permitted.path(), smaller).send().expect(200);
      }
    },
    USER_DELETED {
      @Override
      void end(Permitted permitted) {
        rest.delete(permitted.userPath()).send().expect(204);
      }
    },
    USER_CREATED_ANEW {
      @Override
      void end(Permitted permitted) {
        USER_DELETED.end(permitted);
        String users = "/dbs/" + permitted.container().database() + "/users";
        rest.post(users, "{\"id\":\"" + permitted.user() + "\"}").send().expect(201);
        var _ = permitted.token();
      }
    },
    CONTAINER_CREATED_ANEW {
      @Override
      void end(Permitted permitted) {
        RestContainer container = permitted.container();
        rest.delete(container.path()).send().expect(204);
        create(container.database());
        BegunReads.fill(container, "a", "new", 0, 10);
      }
    },
    DATABASE_CREATED_ANEW {
      @Override
      void end(Permitted permitted) {
        RestContainer container = permitted.container();
        String database = "/dbs/" + container.database();
        rest.delete(database).send().expect(204);
        rest.post("/dbs", "{\"id\":\"" + container.database() + "\"}").send().expect(201);
        create(container.database());
        BegunReads.fill(container, "a", "new", 0, 10);
        rest.post(database + "/users", "{\"id\":\"" + permitted.user() + "\"}").send().expect(201);
        var _ = permitted.token();
      }
    };

    abstract void end(Permitted permitted);

    private static void create(String database) {
      String definition = "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
      rest.post("/dbs/" + database + "/colls", definition).send().expect(201);
    }
  }

  private static List<Rest.Request> writes(RestContainer container) {
    String item = "{\"id\":\"late\",\"pk\":\"a\"}";
    return List.of(
        rest.post(container.docs(), item),
        rest.put(container.doc("a-0"), item),
        rest.patch(
            container.doc("a-0"), "[{\"op\":\"add\",\"path\":\"/late\",\"value\":\"late\"}]"),
        rest.delete(container.doc("a-0")),
        rest.post(
                container.docs(), "[{\"operationType\":\"Create\",\"resourceBody\":" + item + "}]")
            .header("x-ms-cosmos-is-batch-request", "True")
            .header("x-ms-cosmos-batch-atomic", "True"),
        rest.post(container.path() + "/sprocs/s", "[]"));
  }

  @ParameterizedTest
  @EnumSource(Ending.class)
  void nothingIsGivenOrDoneBehindTheEnd(Ending ending) {
    RestContainer container =
        RestContainer.create(rest, "{\"id\":\"coll\",\"partitionKey\":{\"paths\":[\"/pk\"]}}", 400);
    rest.post(container.path() + "/sprocs", "{\"id\":\"s\",\"body\":\"function () {}\"}")
        .send()
        .expect(201);
    BegunReads.fill(container, "a", "old", 0, 10);
    Permitted permitted = Permitted.key(container, "All", "a");
    String token = permitted.token();
    List<BegunReads.Begun> begun = BegunReads.of(container, "a", request -> request.showing(token));
    RestAnswer session = rest.get(container.doc("a-1")).key("[\"a\"]").send().expect(200);
    ending.end(permitted);
    String before = items(container);
    for (BegunReads.Begun read : begun) {
      String told = read.request().send().refused(403, 0).text();
      assertFalse(told.contains("\"mark\""), () -> read.name() + " gave " + told);
    }
    rest.get(container.doc("a-1"))
        .key("[\"a\"]")
        .header("x-ms-session-token", session.header("x-ms-session-token"))
        .showing(token)
        .send()
        .refused(403, 0);
    for (Rest.Request write : writes(container)) {
      write.key("[\"a\"]").showing(token).send().refused(403, 0);
    }
    assertEquals(before, items(container));
  }

  private static String items(RestContainer container) {
    return RestQuery.rows(RestQuery.across(container, "SELECT * FROM c ORDER BY c.id"), 100)
        .toString();
  }
}
