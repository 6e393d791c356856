package io.orrery.script;

import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** A handful of documents in memory, enough to see what scripts ask for. */
class HeldDocuments implements Documents {
  /** Of a stored procedure in their container. */
  static final ScriptCall CALL =
      new ScriptCall(
          ScriptCall.Kind.STORED_PROCEDURE,
          "dbs/d==/colls/c==/",
          "dbs/d/colls/c",
          ScriptCall.Operation.EXECUTE,
          "[]",
          null);

  final Map<String, String> documents = new LinkedHashMap<>();
  int stepsLeft = 1_000;

  @Override
  public String quota() {
    return "documentsCount=-1;";
  }

  @Override
  public String usage() {
    return "documentsCount=0;";
  }

  @Override
  public boolean accepts() {
    return stepsLeft > 0;
  }

  @Override
  public Reply perform(Step step) {
    stepsLeft--;
    return switch (step) {
      case Step.Create(String link, String document) -> {
        String id = id(document);
        yield documents.putIfAbsent(id, document) == null
            ? new Reply.Done(document, null)
            : new Reply.Failed(409, "Resource with specified id already exists");
      }
      case Step.Upsert(String link, String document, var etag) -> {
        documents.put(id(document), document);
        yield new Reply.Done(document, null);
      }
      case Step.Read(String link, var known) -> {
        String found = documents.get(last(link));
        yield found == null ? notFound() : new Reply.Done(known == null ? found : null, null);
      }
      case Step.Replace(String link, String document, var etag) ->
          documents.replace(last(link), document) == null
              ? notFound()
              : new Reply.Done(document, null);
      case Step.Delete(String link, var etag) ->
          documents.remove(last(link)) == null ? notFound() : new Reply.Done(null, null);
      case Step.Query(String link, String query, int pageSize, var continuation) ->
          page(pageSize, continuation == null ? 0 : Integer.parseInt(continuation));
    };
  }

  private Reply page(int pageSize, int from) {
    var all = documents.values().stream().toList();
    int to = pageSize < 0 ? all.size() : Math.min(all.size(), from + pageSize);
    return new Reply.Done(
        "[" + String.join(",", all.subList(from, to)) + "]",
        to < all.size() ? Integer.toString(to) : null);
  }

  private static Reply notFound() {
    return new Reply.Failed(404, "Resource Not Found");
  }

  private static String last(String link) {
    return link.substring(link.lastIndexOf('/') + 1);
  }

  private static String id(String document) {
    var members = ((Value.Obj) Json.parse(document.getBytes(StandardCharsets.UTF_8))).members();
    return ((Value.Text) Objects.requireNonNull(members.get("id"))).value();
  }
}
