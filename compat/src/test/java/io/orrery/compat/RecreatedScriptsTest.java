package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Scripts change under their callers: what runs is what the name means when it begins. */
class RecreatedScriptsTest {
  private final Rest rest = Rest.over("http");
  private final RestContainer container =
      RestContainer.create(Deployment.HTTP_ONE_RANGE).withScriptsReady();

  private void make(String feed, String source) {
    rest.post(
            container.path() + "/" + feed,
            "{\"id\":\"s\",\"body\":\"%s\",\"triggerType\":\"Pre\",\"triggerOperation\":\"All\"}"
                .formatted(source))
        .send()
        .expect(201);
  }

  private void delete(String feed) {
    rest.delete(container.path() + "/" + feed + "/s").send().expect(204);
  }

  @Test
  void procedures() {
    for (String text : List.of("one", "two", "three")) {
      make("sprocs", "function () { getContext().getResponse().setBody('" + text + "'); }");
      RestAnswer answer =
          rest.post(container.path() + "/sprocs/s", "[]").key("[\"a\"]").send().expect(200);
      assertEquals(text, answer.json().asText());
      delete("sprocs");
      rest.post(container.path() + "/sprocs/s", "[]").key("[\"a\"]").send().refused(404, 0);
    }
  }

  @Test
  void triggers() {
    for (String text : List.of("one", "two", "three")) {
      make(
          "triggers",
          "function () { var r = getContext().getRequest(); var b = r.getBody(); b.text = '"
              + text
              + "'; r.setBody(b); }");
      RestAnswer answer =
          rest.post(container.docs(), "{\"id\":\"" + text + "\",\"pk\":\"a\"}")
              .key("[\"a\"]")
              .header("x-ms-documentdb-pre-trigger-include", "s")
              .send()
              .expect(201);
      assertEquals(text, answer.json().get("text").asText());
      delete("triggers");
    }
  }

  @Test
  void functionsBetweenTwoPages() {
    BegunReads.fill(container, "a", "m", 0, 4);
    make("udfs", "function (n) { return 'one' + n; }");
    var query =
        RestQuery.across(container, "SELECT VALUE udf.s(c.n) FROM c")
            .header("x-ms-max-item-count", "2");
    RestAnswer first = query.send().expect(200);
    assertEquals("[\"one0\",\"one1\"]", first.json().get("Documents").toString());
    query.header("x-ms-continuation", first.header("x-ms-continuation"));
    delete("udfs");
    query.send().refused(400, 0);
    make("udfs", "function (n) { return 'two' + n; }");
    assertEquals(
        "[\"two2\",\"two3\"]", query.send().expect(200).json().get("Documents").toString());
  }
}
