package io.orrery.table;

import io.netty.util.AsciiString;
import io.orrery.http.AsciiNumbers;
import io.orrery.http.AsciiOut;
import io.orrery.http.Conversation.Compute;
import io.orrery.http.Conversation.Decision;
import io.orrery.http.Conversation.Told;
import io.orrery.http.Conversation.Write;
import io.orrery.operation.Answer;
import io.orrery.operation.Bytes;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.QueryMetrics;
import io.orrery.operation.QueryOptions;
import io.orrery.operation.Refusal;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.StoredItem;
import io.orrery.table.Filter.Literal;
import io.orrery.table.Filter.Operator;
import io.orrery.value.RawMembers;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads entities page by page, all or those that a filter names, in the order of their keys. */
final class QueryEntities implements Command {
  private static final int PAGE_MAX = 1_000;
  private static final String BEGIN = "{\"value\":[";

  /** A worker writes larger pages, which would hold an event loop for too long. */
  private static final int SMALL_BYTES = 64 << 10;

  private static final String ROWS = "SELECT VALUE {\"t\": c[\"$ticks\"], \"e\": c} FROM c";
  private static final AsciiString NEXT_PARTITION_KEY =
      new AsciiString("x-ms-continuation-NextPartitionKey: ");
  private static final AsciiString NEXT_ROW_KEY =
      new AsciiString("x-ms-continuation-NextRowKey: NA\r\n");
  private static final AsciiString METRICS = new AsciiString("x-ms-documentdb-query-metrics: ");
  private static final String TOKEN_BEGIN = "{\"token\":\"";
  private static final String TOKEN_END = "\",\"range\":{\"min\":\"\",\"max\":\"FF\"}}";

  private final Call call;
  private @Nullable Filter filter;
  private boolean inOrder = true;

  QueryEntities(Call call) {
    this.call = call;
  }

  @Override
  public Decision<TableError> begin() {
    TableRequest request = call.request();
    var _ = request.metadata();
    call.require(Right.READ, request.path().table(), null);
    String text = request.parameters().get("$filter");
    filter = held(text == null ? null : FilterParser.parse(text));
    Entity.Key key = only(filter);
    if (key != null && request.parameters().get("NextPartitionKey") == null) {
      int most = top(request);
      if (most > 0) {
        return call.ask(
            new Operation.ReadItem(
                EntityStep.scope(request.path().table(), key),
                EntityStep.id(key),
                Precondition.NONE));
      }
    }
    return query();
  }

  /** The filter within what the client may read at all. */
  private @Nullable Filter held(@Nullable Filter asked) {
    Access.Part part = call.access().bounds();
    if (part == null) {
      return asked;
    }
    List<Filter> parts = new ArrayList<>();
    if (asked != null) {
      parts.add(asked);
    }
    if (part.startPartitionKey() != null) {
      parts.add(bound(part.startPartitionKey(), part.startRowKey(), Operator.GT, Operator.GE));
    }
    if (part.endPartitionKey() != null) {
      parts.add(bound(part.endPartitionKey(), part.endRowKey(), Operator.LT, Operator.LE));
    }
    return new Filter.And(parts);
  }

  private static Filter bound(
      String partitionKey, @Nullable String rowKey, Operator beyond, Operator upTo) {
    if (rowKey == null) {
      return compare(Properties.PARTITION_KEY, upTo, partitionKey);
    }
    return new Filter.Or(
        List.of(
            compare(Properties.PARTITION_KEY, beyond, partitionKey),
            new Filter.And(
                List.of(
                    compare(Properties.PARTITION_KEY, Operator.EQ, partitionKey),
                    compare(Properties.ROW_KEY, upTo, rowKey)))));
  }

  private static Filter compare(String property, Operator operator, String text) {
    return new Filter.Comparison(property, operator, new Literal(EdmType.STRING, text));
  }

  /** The one entity that a filter asks for by both keys and nothing else. */
  private static Entity.@Nullable Key only(@Nullable Filter filter) {
    if (filter == null || filter.conjuncts().size() != 2) {
      return null;
    }
    String partitionKey = filter.only(Properties.PARTITION_KEY);
    String rowKey = filter.only(Properties.ROW_KEY);
    return partitionKey == null || rowKey == null ? null : new Entity.Key(partitionKey, rowKey);
  }

  private Decision<TableError> query() {
    TableRequest request = call.request();
    var sql = new FilterSql();
    Filter asked = filter;
    String key = asked == null ? null : asked.only(Properties.PARTITION_KEY);
    // The scope holds the rows to the key; the filter asks for it again only where the index of
    // both keys then finds the rows by itself, however many entities share the key.
    Filter rest =
        asked == null || key == null ? asked : asked.without(Properties.PARTITION_KEY, key);
    boolean byKeys = rest == null || rest.isOnlyAbout(Properties.ROW_KEY);
    Filter condition = byKeys ? asked : rest;
    String where = condition == null ? "" : " WHERE " + sql.condition(condition);
    String order = inOrder ? key == null ? " ORDER BY c[\"$pk\"], c.id" : " ORDER BY c.id" : "";
    return call.ask(
        new Operation.QueryItems(
            Command.container(request.path().table()),
            new SqlQuery(ROWS + where + order, sql.parameters()),
            key == null ? new FeedScope.Whole() : new FeedScope.OfKey(PartitionKey.of(key)),
            new PageRequest(top(request), continuation(request)),
            QueryOptions.ANYWHERE));
  }

  private static @Nullable String continuation(TableRequest request) {
    String given = request.parameters().get("NextPartitionKey");
    if (given == null) {
      return null;
    }
    int end = given.indexOf('"', TOKEN_BEGIN.length());
    if (!given.startsWith(TOKEN_BEGIN) || end < 0) {
      throw RefusedRequest.invalidInput(
          "The continuation is not one that this server gave; start from the beginning.");
    }
    return given.substring(TOKEN_BEGIN.length(), end);
  }

  /** How many rows a page may have. */
  static int top(TableRequest request) {
    String given = request.parameters().get("$top");
    if (given == null) {
      return PAGE_MAX;
    }
    try {
      int most = AsciiNumbers.parseInt(given.strip());
      if (most > 0) {
        return Math.min(most, PAGE_MAX);
      }
    } catch (NumberFormatException notOne) {
      // Told below.
    }
    throw RefusedRequest.invalidInput("The value of $top is no number above zero.");
  }

  @Override
  public Decision<TableError> answered(Answer answer) {
    return switch (answer.outcome()) {
      case Outcome.QueryPage page -> page(answer, page);
      case Outcome.ItemRead(StoredItem item) -> {
        AsciiOut body = beginPage();
        writer(body).put(item.body().bytes().array(), 0, item.commitTicks(), false);
        call.head(200, answer.charge());
        yield call.json(200, body.put("]}"));
      }
      case Refusal.NotFound none -> {
        call.head(200, answer.charge());
        yield call.json(200, beginPage().put("]}"));
      }
      // The index that has the order was taken away from the container.
      case Refusal.BadQuery bad when inOrder -> {
        inOrder = false;
        yield query();
      }
      case Refusal refusal -> call.refuse(answer, refusal);
      case Outcome.Success other -> throw Command.unexpected(answer);
    };
  }

  /** Pages of the service have no {@code odata.metadata}, however much of it is asked for. */
  private AsciiOut beginPage() {
    return call.answers().body().put(BEGIN);
  }

  private EntityWriter writer(AsciiOut body) {
    return new EntityWriter(body, ReadEntity.frame(call, call.request()));
  }

  private Decision<TableError> page(Answer answer, Outcome.QueryPage page) {
    long bytes = 0;
    for (Bytes row : page.rows()) {
      bytes += row.size();
    }
    if (bytes <= SMALL_BYTES) {
      return tell(answer, page, rows(beginPage(), page));
    }
    return new Compute<>(
        () -> {
          AsciiOut body = rows(new AsciiOut().put(BEGIN), page);
          return new Write<>(() -> tell(answer, page, body).status());
        });
  }

  private AsciiOut rows(AsciiOut body, Outcome.QueryPage page) {
    EntityWriter writer = writer(body);
    List<Bytes> rows = page.rows();
    for (int i = 0; i < rows.size(); i++) {
      if (i > 0) {
        body.put(',');
      }
      put(writer, rows.get(i).array());
    }
    return body.put("]}");
  }

  private Told<TableError> tell(Answer answer, Outcome.QueryPage page, AsciiOut body) {
    TableAnswers head = call.head(200, answer.charge());
    head.header(METRICS, metrics(page.metrics()));
    String continuation = page.continuation();
    if (continuation != null) {
      head.header(NEXT_PARTITION_KEY, TOKEN_BEGIN + continuation + TOKEN_END);
      head.headers(NEXT_ROW_KEY);
    }
    return call.json(200, body);
  }

  /** A row is the commit time and the item. */
  private static void put(EntityWriter writer, byte[] row) {
    long ticks = 0;
    var members = new RawMembers(row, 0);
    while (members.next()) {
      if (members.isNamed("t") && members.value() instanceof Value.Int64(long time)) {
        ticks = time;
      } else if (members.isNamed("e")) {
        writer.put(row, members.valueFrom(), ticks, false);
      }
    }
  }

  private static String metrics(QueryMetrics metrics) {
    return String.format(
        Locale.ROOT,
        "retrievedDocumentCount=%d;outputDocumentCount=%d;indexUtilizationRatio=%.2f",
        metrics.retrieved().count(),
        metrics.output().count(),
        metrics.indexUtilization());
  }
}
