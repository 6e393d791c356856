package io.orrery.nosql;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AsciiString;
import io.orrery.http.AsciiOut;
import io.orrery.http.Exchange;
import io.orrery.http.ResponseHead;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.Change;
import io.orrery.operation.Etag;
import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.Resource;
import io.orrery.operation.StoredItem;
import io.orrery.value.ResourceJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes outcomes as answers of this wire. Belongs to one event loop. */
final class NosqlAnswers {
  private static final byte[] NOTHING = new byte[0];
  private static final AsciiString NOTHING_MORE = AsciiString.EMPTY_STRING;
  private static final String JSON = "application/json";
  private static final AsciiString CONTENT_TYPE = new AsciiString("Content-Type: ");
  private static final AsciiString SUBSTATUS = new AsciiString("x-ms-substatus: ");
  private static final AsciiString CONTINUATION = new AsciiString("x-ms-continuation: ");
  private static final AsciiString ITEM_COUNT = new AsciiString("x-ms-item-count: ");
  private static final AsciiString OFFER_MINIMUM = new AsciiString("x-ms-cosmos-min-throughput: ");
  private static final AsciiString OFFER_PENDING = new AsciiString("x-ms-offer-replace-pending: ");

  private static final AsciiString INDEXED_PERCENT =
      new AsciiString("x-ms-documentdb-collection-index-transformation-progress: ");

  private final ResponseWriter writer;
  private final AsciiString containerHeaders;
  private final AsciiOut tail = new AsciiOut();

  NosqlAnswers(Limits limits, Instant started) {
    writer = new ResponseWriter(limits, started);
    containerHeaders =
        new AsciiString(
            "collection-partition-index: 0\r\ncollection-service-index: 0\r\n"
                + ("x-ms-cosmos-max-content-length: " + limits.itemBytes() + "\r\n"));
  }

  /** Writes the answer to a routed request, without flushing; returns its status. */
  int write(ChannelHandlerContext context, Exchange exchange, NosqlRequest request, Answer answer) {
    var call = new Call(context, exchange, request, answer);
    return switch (answer.outcome()) {
      case Outcome.ItemRead(var item) -> item(call, 200, item);
      case Outcome.ItemCreated(var item) -> writtenItem(call, 201, item);
      case Outcome.ItemReplaced(var item) -> writtenItem(call, 200, item);
      case Outcome.ItemDeleted() -> bare(call, 204, null);
      case Outcome.LogicalPartitionDeleted() -> bare(call, 200, null);
      case Outcome.StepsDone done -> steps(call, done);
      case Outcome.ItemRewritten(var item, boolean created, Body body) ->
          rewritten(call, created ? 201 : 200, item, body);
      case Outcome.ScriptDone(Body body, String log) -> script(call, body, log);
      case Outcome.NotModified(Etag etag) -> bare(call, 304, etag);
      case Outcome.ItemPage(var items, var continuation) -> itemPage(call, items, continuation);
      case Outcome.ChangePage page -> changes(call, page);
      case Outcome.QueryPage page -> queryPage(call, page);
      case Outcome.QueryPlanned(Body plan) -> report(call, 200, plan.bytes().array());
      case Outcome.ResourceCreated(var resource) -> resource(call, 201, resource);
      case Outcome.ResourceRead(var resource) -> resource(call, 200, resource);
      case Outcome.ContainerRead(var resource, int indexedPercent) ->
          container(call, resource, indexedPercent);
      case Outcome.ResourceReplaced(var resource) -> resource(call, 200, resource);
      case Outcome.ResourceDeleted() -> bare(call, 204, null);
      case Outcome.OfferRead(var resource, int minimum, boolean pending) ->
          offer(call, resource, minimum, pending);
      case Outcome.ResourcePage(var resources, var continuation) ->
          rows(
              call,
              resources.stream().map(ResourceJson::body).map(Body::bytes).toList(),
              continuation);
      case Outcome.RowPage(var rows, var continuation) ->
          rows(call, rows.stream().map(Body::bytes).toList(), continuation);
      case Outcome.Ranges(var ranges, Etag etag) -> ranges(call, ranges, etag);
      case Outcome.Managed(Body report, boolean begun) ->
          report(call, begun ? 202 : 200, report.bytes().array());
      case Refusal refusal -> refusal(call, refusal);
    };
  }

  /** The status of an answer about a resource, for the audit log once the client has gone. */
  static int status(Outcome outcome, NosqlRequest request) {
    return switch (outcome) {
      case Outcome.ResourceCreated _ -> 201;
      case Outcome.ResourceDeleted _ -> 204;
      case Outcome.Managed(Body report, boolean begun) -> begun ? 202 : 200;
      case Refusal refusal -> NosqlErrors.of(refusal, request).status();
      case Outcome.Success other -> 200;
    };
  }

  /** What there is to know when an answer is written. */
  private record Call(
      ChannelHandlerContext context, Exchange exchange, NosqlRequest request, Answer answer) {
    OwnerNames names(ResponseWriter writer) {
      Answer.Owner owner = answer.owner();
      if (owner == null) {
        throw new IllegalStateException("An answer about items names no container");
      }
      return writer.names(owner);
    }

    String ownerRid() {
      Answer.Owner owner = answer.owner();
      return owner == null ? "" : owner.rid();
    }
  }

  private int item(Call call, int status, StoredItem item) {
    String etag = item.etag().text();
    SystemProperties.putTail(tail.clear(), call.names(writer), item, etag);
    Bytes stored = item.body().bytes();
    // The stored text without its closing brace, which the tail brings.
    int storedBytes = stored.size() - 1;
    begin(call, status);
    writer.etag(etag);
    AsciiOut head = json(call.exchange(), storedBytes + tail.size());
    ByteBuf out = call.context().alloc().buffer(head.size() + storedBytes + tail.size());
    head.writeTo(out);
    out.writeBytes(stored.array(), 0, storedBytes);
    tail.writeTo(out);
    ResponseHead.send(call.context(), out);
    return status;
  }

  /** As if only the operation had been done, but for the body. */
  private int rewritten(Call call, int status, StoredItem item, Body body) {
    if (call.request().wantsLittle()) {
      return bare(call, status, item.etag());
    }
    begin(call, status);
    writer.etag(item.etag().text());
    return endJson(call, status, body.bytes().array());
  }

  private void begin(Call call, int status) {
    writer.begin(status, call.exchange(), call.answer());
  }

  private AsciiOut json(Exchange exchange, int bodyBytes) {
    writer.header(CONTENT_TYPE, JSON);
    return writer.end(exchange, bodyBytes);
  }

  private int writtenItem(Call call, int status, StoredItem item) {
    return call.request().wantsLittle()
        ? bare(call, status, item.etag())
        : item(call, status, item);
  }

  private int bare(Call call, int status, @Nullable Etag etag) {
    begin(call, status);
    if (etag != null) {
      writer.etag(etag.text());
    }
    boolean bodyless = status == 204 || status == 304;
    ResponseHead.send(
        call.context(),
        bodyless ? writer.end(call.exchange()) : writer.end(call.exchange(), 0),
        NOTHING);
    return status;
  }

  private int resource(Call call, int status, Resource resource) {
    begin(call, status);
    writer.etag(resource.etag().text());
    if (resource.kind() == Resource.Kind.CONTAINER) {
      writer.headers(containerHeaders);
    }
    return endJson(call, status, ResourceJson.body(resource).bytes().array());
  }

  private int container(Call call, Resource resource, int indexedPercent) {
    begin(call, 200);
    writer.etag(resource.etag().text());
    writer.headers(containerHeaders);
    writer.header(INDEXED_PERCENT, Integer.toString(indexedPercent));
    return endJson(call, 200, ResourceJson.body(resource).bytes().array());
  }

  private int offer(Call call, Resource resource, int minimum, boolean pending) {
    begin(call, 200);
    writer.etag(resource.etag().text());
    // The Java SDK reads the minimum as an integer that must be there.
    writer.header(OFFER_MINIMUM, Integer.toString(minimum));
    writer.header(OFFER_PENDING, Boolean.toString(pending));
    return endJson(call, 200, ResourceJson.body(resource).bytes().array());
  }

  private int endJson(Call call, int status, byte[] body) {
    ResponseHead.send(call.context(), json(call.exchange(), body.length), body);
    return status;
  }

  private int itemPage(Call call, List<StoredItem> items, @Nullable String continuation) {
    OwnerNames names = call.names(writer);
    AsciiOut page = beginPage(call);
    for (int i = 0; i < items.size(); i++) {
      StoredItem item = items.get(i);
      byte[] stored = item.body().bytes().array();
      separate(page, i).put(stored, stored.length - 1);
      SystemProperties.putTail(page, names, item, item.etag().text());
    }
    return endPage(call, page, items.size(), continuation, NOTHING_MORE);
  }

  private int steps(Call call, Outcome.StepsDone done) {
    AsciiOut body = new AsciiOut();
    StepRows.put(body, done.steps(), call.names(writer), call.request());
    int status = done.isWhole() ? 200 : 207;
    begin(call, status);
    writer.header(ITEM_COUNT, Integer.toString(done.steps().size()));
    ResponseHead.send(call.context(), json(call.exchange(), body.size()), body);
    return status;
  }

  /** Nothing new is told by 304; its etag, too, is where to go on. */
  private int changes(Call call, Outcome.ChangePage answer) {
    String etag = "\"" + answer.lsn() + "\"";
    if (answer.changes().isEmpty() && !answer.more()) {
      return bare(call, 304, new Etag(etag));
    }
    OwnerNames names = call.names(writer);
    boolean enveloped = ChangeFeedRequest.isEnveloped(call.request());
    AsciiOut page = beginPage(call);
    List<Change> changes = answer.changes();
    for (int i = 0; i < changes.size(); i++) {
      StoredItem current = changes.get(i).current();
      if (enveloped || current == null) {
        ChangeRows.putEnvelope(separate(page, i), names, changes.get(i));
      } else {
        ChangeRows.putItem(separate(page, i), names, changes.get(i), current);
      }
    }
    AsciiString told = new AsciiString("etag: " + etag + "\r\n");
    return endPage(call, page, changes.size(), null, told);
  }

  private int queryPage(Call call, Outcome.QueryPage answer) {
    AsciiOut page = beginPage(call);
    List<Bytes> rows = answer.rows();
    for (int i = 0; i < rows.size(); i++) {
      separate(page, i).put(rows.get(i).array());
    }
    AsciiString told = QueryHeaders.of(answer, QueryDocument.options(call.request()));
    return endPage(call, page, rows.size(), answer.continuation(), told);
  }

  private int script(Call call, Body body, String log) {
    begin(call, 200);
    writer.headers(ScriptRoutes.logged(call.request(), log));
    return endJson(call, 200, body.bytes().array());
  }

  private int report(Call call, int status, byte[] json) {
    begin(call, status);
    return endJson(call, status, json);
  }

  private int rows(Call call, List<Bytes> rows, @Nullable String continuation) {
    AsciiOut page = beginPage(call);
    for (int i = 0; i < rows.size(); i++) {
      separate(page, i).put(rows.get(i).array());
    }
    return endPage(call, page, rows.size(), continuation, NOTHING_MORE);
  }

  private int ranges(Call call, List<PartitionKeyRange> ranges, Etag etag) {
    AsciiOut page = beginPage(call);
    for (int i = 0; i < ranges.size(); i++) {
      separate(page, i).put(SystemProperties.range(ranges.get(i), call.ownerRid(), etag));
    }
    AsciiString told = new AsciiString("etag: " + etag.text() + "\r\n");
    return endPage(call, page, ranges.size(), null, told);
  }

  private static AsciiOut separate(AsciiOut page, int index) {
    return index == 0 ? page : page.put(',');
  }

  private static AsciiOut beginPage(Call call) {
    // A page of its own size: what is kept for the next answer stays small.
    AsciiOut page = new AsciiOut().put("{\"_rid\":\"").put(call.ownerRid());
    return page.put("\",\"").put(feedName(call.request().path().shape())).put("\":[");
  }

  private static String feedName(ResourcePath.Shape shape) {
    return switch (shape) {
      case DATABASES -> "Databases";
      case CONTAINERS -> "DocumentCollections";
      case RANGES -> "PartitionKeyRanges";
      case ITEMS -> "Documents";
      case OFFERS -> "Offers";
      case CONFLICTS -> "Conflicts";
      case USERS -> "Users";
      case PERMISSIONS -> "Permissions";
      case ENCRYPTION_KEYS -> "ClientEncryptionKeys";
      case PROCEDURES -> "StoredProcedures";
      case TRIGGERS -> "Triggers";
      case FUNCTIONS -> "UserDefinedFunctions";
      case ACCOUNT,
          DATABASE,
          CONTAINER,
          ITEM,
          KEY_DELETION,
          PROCEDURE,
          TRIGGER,
          FUNCTION,
          CONFLICT,
          USER,
          PERMISSION,
          OFFER,
          SURVEY,
          PARTITIONS,
          PARTITION_SPLIT,
          PARTITION_MERGE,
          RESHAPES,
          RESHAPE,
          RESHAPE_ADVANCE,
          CLOCK,
          CLOCK_ADVANCE,
          KEY_ROTATION,
          UNKNOWN ->
          throw new IllegalStateException("A feed was the answer to a path that is none");
    };
  }

  private int endPage(
      Call call, AsciiOut page, int count, @Nullable String continuation, AsciiString more) {
    page.put("],\"_count\":").number(count).put('}');
    begin(call, 200);
    writer.headers(more);
    if (continuation != null) {
      writer.header(CONTINUATION, continuation);
    }
    writer.header(ITEM_COUNT, Integer.toString(count));
    ResponseHead.send(call.context(), json(call.exchange(), page.size()), page);
    return 200;
  }

  private int refusal(Call call, Refusal refusal) {
    NosqlError error = NosqlErrors.of(refusal, call.request());
    begin(call, error.status());
    RetryHeaders.write(refusal, writer);
    if (refusal instanceof Refusal.ScriptFailed failed) {
      writer.headers(ScriptRoutes.logged(call.request(), failed.log()));
    }
    return end(call.context(), call.exchange(), error);
  }

  /** Refuses a request before the database saw it. */
  int write(
      ChannelHandlerContext context, Exchange exchange, NosqlError error, RequestCharge charge) {
    writer.begin(error.status(), exchange);
    writer.charge(charge);
    return end(context, exchange, error);
  }

  private int end(ChannelHandlerContext context, Exchange exchange, NosqlError error) {
    RetryHeaders.write(error.status(), writer);
    if (error.substatus() != 0) {
      writer.header(SUBSTATUS, Integer.toString(error.substatus()));
    }
    byte[] body = error.body(exchange.activityId(), exchange.target());
    // A HEAD is told the length of the body, and does not get it.
    ResponseHead.send(context, json(exchange, body.length), exchange.isHead() ? NOTHING : body);
    return error.status();
  }

  /** Answers with a JSON text that no price was paid for. */
  int write(ChannelHandlerContext context, Exchange exchange, byte[] json) {
    writer.begin(200, exchange);
    writer.charge(RequestCharge.NONE);
    ResponseHead.send(context, json(exchange, json.length), json);
    return 200;
  }

  int write(ChannelHandlerContext context, Exchange exchange, Page page) {
    byte[] content = page.content().array();
    writer.begin(page.status(), exchange);
    RetryHeaders.write(page.status(), writer);
    writer.header(CONTENT_TYPE, page.contentType());
    AsciiOut head = writer.end(exchange, content.length);
    ResponseHead.send(context, head, exchange.isHead() ? NOTHING : content);
    return page.status();
  }
}
