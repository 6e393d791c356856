package io.orrery.routing;

import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.Etag;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.StoredItem;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.script.Documents;
import io.orrery.value.ItemView;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The documents that a script sees: those of its transaction. */
final class ScriptDocuments implements Documents {
  private static final String QUERY_SHAPE =
      "A query is a text, or an object with a text 'query' and 'parameters'";

  private final TransactionSession session;
  private final ContainerLinks links;
  private final LongSupplier functionNanos;
  private long refusedNanos;

  /**
   * @param functionNanos how long the functions of queries have worked so far
   */
  ScriptDocuments(TransactionSession session, LongSupplier functionNanos) {
    this.session = session;
    this.functionNanos = functionNanos;
    links = ContainerLinks.of(session.container());
  }

  @Override
  public String quota() {
    return session.quota();
  }

  @Override
  public String usage() {
    return session.usage();
  }

  @Override
  public boolean accepts() {
    return session.accepts();
  }

  /**
   * How long the steps took that were refused: they have no price of their own. Without their
   * functions, which work in the process of the script and are measured with it.
   */
  long refusedNanos() {
    return refusedNanos;
  }

  @Override
  public Reply perform(Step step) {
    long began = System.nanoTime() - functionNanos.getAsLong();
    Reply reply = performed(step);
    if (!(reply instanceof Reply.Done)) {
      refusedNanos += System.nanoTime() - functionNanos.getAsLong() - began;
    }
    return reply;
  }

  private Reply performed(Step step) {
    try {
      return switch (step) {
        case Step.Create(String link, String document) -> {
          links.requireContainer(link);
          yield item(new Operation.CreateItem(session.scope(), Body.json(document)));
        }
        case Step.Upsert(String link, String document, var etag) -> {
          links.requireContainer(link);
          yield item(
              new Operation.UpsertItem(session.scope(), Body.json(document), matching(etag)));
        }
        case Step.Read(String link, var known) ->
            item(
                new Operation.ReadItem(
                    session.scope(),
                    links.document(link),
                    known == null
                        ? Precondition.NONE
                        : new Precondition.EtagDiffers(new Etag(known))));
        case Step.Replace(String link, String document, var etag) ->
            item(
                new Operation.ReplaceItem(
                    session.scope(), links.document(link), Body.json(document), matching(etag)));
        case Step.Delete(String link, var etag) ->
            item(new Operation.DeleteItem(session.scope(), links.document(link), matching(etag)));
        case Step.Query(String link, String query, int pageSize, var continuation) -> {
          links.requireContainer(link);
          yield rows(session.query(query(query), new PageRequest(pageSize, continuation)));
        }
      };
    } catch (Refused e) {
      return failed(e.refusal());
    } catch (MalformedBody e) {
      return new Reply.Failed(400, String.valueOf(e.getMessage()));
    }
  }

  private static Precondition matching(@Nullable String etag) {
    return etag == null ? Precondition.NONE : new Precondition.EtagMatches(new Etag(etag));
  }

  private Reply item(Operation.ItemOperation operation) {
    Outcome outcome = session.execute(operation);
    if (outcome instanceof Refusal refusal) {
      return failed(refusal);
    }
    StoredItem item = itemOf(outcome);
    return new Reply.Done(item == null ? null : text(item, session.container()), null);
  }

  /** The item that an operation wrote or read. */
  static @Nullable StoredItem itemOf(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ItemCreated(var item) -> item;
      case Outcome.ItemReplaced(var item) -> item;
      case Outcome.ItemRead(var item) -> item;
      case Outcome.ItemRewritten(var item, boolean created, var body) -> item;
      default -> null;
    };
  }

  /** The item as a client reads it. */
  static String text(StoredItem item, ContainerEntry container) {
    return new String(Json.write(ItemView.of(item, container.rid())), StandardCharsets.UTF_8);
  }

  private static Reply rows(Outcome outcome) {
    return switch (outcome) {
      case Outcome.QueryPage page ->
          new Reply.Done(
              page.rows().stream()
                  .map(ScriptDocuments::text)
                  .collect(Collectors.joining(",", "[", "]")),
              page.continuation());
      case Refusal refusal -> failed(refusal);
      default -> throw new IllegalStateException("A query was answered with " + outcome);
    };
  }

  private static String text(Bytes json) {
    return new String(json.array(), StandardCharsets.UTF_8);
  }

  private static Reply failed(Refusal refusal) {
    return new Reply.Failed(ScriptErrors.status(refusal), ScriptErrors.message(refusal));
  }

  private static SqlQuery query(String json) {
    return switch (Json.parse(json)) {
      case Value.Text(String text) -> new SqlQuery(text, Map.of());
      case Value.Obj(var members) when members.get("query") instanceof Value.Text(String text) ->
          new SqlQuery(text, parameters(members.get("parameters")));
      default -> throw new MalformedBody(QUERY_SHAPE);
    };
  }

  private static Map<String, Body> parameters(@Nullable Value given) {
    if (given == null) {
      return Map.of();
    }
    if (!(given instanceof Value.Arr(List<Value> items))) {
      throw new MalformedBody(QUERY_SHAPE);
    }
    var parameters = new LinkedHashMap<String, Body>();
    for (Value item : items) {
      if (!(item instanceof Value.Obj(var members))
          || !(members.get("name") instanceof Value.Text(String name))) {
        throw new MalformedBody(QUERY_SHAPE);
      }
      Value value = members.get("value");
      if (value != null) {
        parameters.put(name, Body.json(Json.write(value)));
      }
    }
    return parameters;
  }
}
