package io.orrery.nosql;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.AsciiString;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.Etag;
import io.orrery.operation.Limits;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKeyRange;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.operation.Resource;
import io.orrery.operation.StoredItem;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes outcomes as answers of this wire. Belongs to one event loop. */
final class NosqlAnswers {
  private static final int HEAD_BYTES = 1_536;
  private static final AsciiString JSON = new AsciiString("Content-Type: application/json\r\n");
  private static final AsciiString CONTENT_TYPE = new AsciiString("Content-Type: ");
  private static final AsciiString SUBSTATUS = new AsciiString("x-ms-substatus: ");
  private static final AsciiString CONTINUATION = new AsciiString("x-ms-continuation: ");
  private static final AsciiString ITEM_COUNT = new AsciiString("x-ms-item-count: ");
  private static final AsciiString OFFER_MINIMUM = new AsciiString("x-ms-cosmos-min-throughput: ");
  private static final AsciiString OFFER_PENDING = new AsciiString("x-ms-offer-replace-pending: ");
  private static final int NO_BODY = -1;

  private final ResponseWriter writer;
  private final AsciiString containerHeaders;
  private final ByteBuf tail = Unpooled.buffer(512);

  NosqlAnswers(Limits limits, Instant started) {
    writer = new ResponseWriter(limits, started);
    containerHeaders =
        new AsciiString(
            "collection-partition-index: 0\r\ncollection-service-index: 0\r\n"
                + "x-ms-documentdb-collection-index-transformation-progress: 100\r\n"
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
      case Outcome.NotModified(Etag etag) -> bare(call, 304, etag);
      case Outcome.ItemPage(var items, var continuation) -> itemPage(call, items, continuation);
      case Outcome.ResourceCreated(var resource) -> resource(call, 201, resource);
      case Outcome.ResourceRead(var resource) -> resource(call, 200, resource);
      case Outcome.ResourceReplaced(var resource) -> resource(call, 200, resource);
      case Outcome.ResourceDeleted() -> bare(call, 204, null);
      case Outcome.OfferRead(var resource, int minimum, boolean pending) ->
          offer(call, resource, minimum, pending);
      case Outcome.ResourcePage(var resources, var continuation) ->
          rows(
              call,
              resources.stream().map(SystemProperties::resource).map(Bytes::utf8).toList(),
              continuation);
      case Outcome.RowPage(var rows, var continuation) ->
          rows(call, rows.stream().map(Body::bytes).toList(), continuation);
      case Outcome.Ranges(var ranges, Etag etag) -> ranges(call, ranges, etag);
      case Refusal refusal -> refusal(call, refusal);
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

  private ByteBuf begin(Call call, int status, int bodyBytes) {
    ByteBuf out = call.context().alloc().buffer(HEAD_BYTES + bodyBytes);
    writer.begin(out, status, call.exchange());
    writer.told(out, call.answer());
    return out;
  }

  private int item(Call call, int status, StoredItem item) {
    OwnerNames names = call.names(writer);
    SystemProperties.writeTail(tail.clear(), names, item);
    Bytes stored = item.body().bytes();
    // The stored text without its closing brace, which the tail brings.
    int bodyBytes = stored.size() - 1 + tail.readableBytes();
    ByteBuf out = begin(call, status, bodyBytes);
    writer.etag(out, item.etag().text());
    ResponseWriter.ascii(out, JSON);
    writer.end(out, bodyBytes, call.exchange());
    out.writeBytes(stored.array(), 0, stored.size() - 1).writeBytes(tail);
    send(call.context(), out);
    return status;
  }

  private int writtenItem(Call call, int status, StoredItem item) {
    String preference = call.request().header(NosqlHeaders.PREFER);
    boolean minimal = preference != null && preference.contains("return=minimal");
    return minimal ? bare(call, status, item.etag()) : item(call, status, item);
  }

  private int bare(Call call, int status, @Nullable Etag etag) {
    ByteBuf out = begin(call, status, 0);
    if (etag != null) {
      writer.etag(out, etag.text());
    }
    boolean bodyless = status == 204 || status == 304;
    writer.end(out, bodyless ? NO_BODY : 0, call.exchange());
    send(call.context(), out);
    return status;
  }

  private int resource(Call call, int status, Resource resource) {
    ByteBuf out = beginResource(call, status, resource);
    if (resource.kind() == Resource.Kind.CONTAINER) {
      ResponseWriter.ascii(out, containerHeaders);
    }
    return endJson(call, status, out, JsonText.utf8(SystemProperties.resource(resource)));
  }

  private int offer(Call call, Resource resource, int minimum, boolean pending) {
    ByteBuf out = beginResource(call, 200, resource);
    // The Java SDK reads the minimum as an integer that must be there.
    writer.header(out, OFFER_MINIMUM, Integer.toString(minimum));
    writer.header(out, OFFER_PENDING, Boolean.toString(pending));
    return endJson(call, 200, out, JsonText.utf8(SystemProperties.resource(resource)));
  }

  private ByteBuf beginResource(Call call, int status, Resource resource) {
    ByteBuf out = begin(call, status, resource.definition().bytes().size() + HEAD_BYTES);
    writer.etag(out, resource.etag().text());
    return out;
  }

  private int endJson(Call call, int status, ByteBuf out, byte[] body) {
    ResponseWriter.ascii(out, JSON);
    writer.end(out, body.length, call.exchange());
    send(call.context(), out.writeBytes(body));
    return status;
  }

  private int itemPage(Call call, List<StoredItem> items, @Nullable String continuation) {
    OwnerNames names = call.names(writer);
    ByteBuf page = beginPage(call);
    for (int i = 0; i < items.size(); i++) {
      if (i > 0) {
        page.writeByte(',');
      }
      SystemProperties.writeItem(page, names, items.get(i));
    }
    return endPage(call, page, items.size(), continuation, null);
  }

  private int rows(Call call, List<Bytes> rows, @Nullable String continuation) {
    ByteBuf page = beginPage(call);
    for (int i = 0; i < rows.size(); i++) {
      if (i > 0) {
        page.writeByte(',');
      }
      page.writeBytes(rows.get(i).array());
    }
    return endPage(call, page, rows.size(), continuation, null);
  }

  private int ranges(Call call, List<PartitionKeyRange> ranges, Etag etag) {
    ByteBuf page = beginPage(call);
    for (int i = 0; i < ranges.size(); i++) {
      if (i > 0) {
        page.writeByte(',');
      }
      page.writeBytes(JsonText.utf8(SystemProperties.range(ranges.get(i), call.ownerRid(), etag)));
    }
    return endPage(call, page, ranges.size(), null, etag);
  }

  private static ByteBuf beginPage(Call call) {
    String start =
        "{\"_rid\":"
            + JsonText.quote(call.ownerRid())
            + ",\""
            + feedName(call.request().path().shape())
            + "\":[";
    ByteBuf page = call.context().alloc().buffer();
    return page.writeBytes(JsonText.utf8(start));
  }

  private static String feedName(ResourcePath.Shape shape) {
    return switch (shape) {
      case DATABASES -> "Databases";
      case CONTAINERS -> "DocumentCollections";
      case RANGES -> "PartitionKeyRanges";
      case ITEMS -> "Documents";
      case OFFERS -> "Offers";
      case ACCOUNT, DATABASE, CONTAINER, ITEM, KEY_DELETION, OFFER, UNKNOWN ->
          throw new IllegalStateException("A feed was the answer to a path that is none");
    };
  }

  private int endPage(
      Call call, ByteBuf page, int count, @Nullable String continuation, @Nullable Etag etag) {
    page.writeBytes(JsonText.utf8("],\"_count\":" + count + "}"));
    ByteBuf out = begin(call, 200, 0);
    if (etag != null) {
      writer.etag(out, etag.text());
    }
    if (continuation != null) {
      writer.header(out, CONTINUATION, continuation);
    }
    writer.header(out, ITEM_COUNT, Integer.toString(count));
    ResponseWriter.ascii(out, JSON);
    writer.end(out, page.readableBytes(), call.exchange());
    send(call.context(), out);
    send(call.context(), page);
    return 200;
  }

  private int refusal(Call call, Refusal refusal) {
    NosqlError error = NosqlErrors.of(refusal, call.request().path().shape());
    byte[] body = error.body(call.exchange().activityId(), call.exchange().target());
    ByteBuf out = begin(call, error.status(), body.length);
    substatus(out, error);
    return endJson(call, error.status(), out, body);
  }

  /** Refuses a request before the database saw it. */
  int write(ChannelHandlerContext context, Exchange exchange, NosqlError error) {
    byte[] body = error.body(exchange.activityId(), exchange.target());
    ByteBuf out = context.alloc().buffer(HEAD_BYTES + body.length);
    writer.begin(out, error.status(), exchange);
    writer.charge(out, RequestCharge.NONE);
    substatus(out, error);
    return end(context, exchange, error.status(), out, JSON, body);
  }

  /** Answers with a JSON text that no price was paid for. */
  int write(ChannelHandlerContext context, Exchange exchange, byte[] json) {
    ByteBuf out = context.alloc().buffer(HEAD_BYTES + json.length);
    writer.begin(out, 200, exchange);
    writer.charge(out, RequestCharge.NONE);
    return end(context, exchange, 200, out, JSON, json);
  }

  int write(ChannelHandlerContext context, Exchange exchange, Page page) {
    byte[] content = page.content().array();
    ByteBuf out = context.alloc().buffer(HEAD_BYTES + content.length);
    writer.begin(out, page.status(), exchange);
    writer.header(out, CONTENT_TYPE, page.contentType());
    return end(context, exchange, page.status(), out, AsciiString.EMPTY_STRING, content);
  }

  private int end(
      ChannelHandlerContext context,
      Exchange exchange,
      int status,
      ByteBuf out,
      AsciiString contentType,
      byte[] body) {
    ResponseWriter.ascii(out, contentType);
    writer.end(out, body.length, exchange);
    // A HEAD is told the length of the body, and does not get it.
    send(context, exchange.isHead() ? out : out.writeBytes(body));
    return status;
  }

  /** Hands a buffer over. A failed write ends the connection, so nobody waits for its future. */
  private static void send(ChannelHandlerContext context, ByteBuf bytes) {
    var _ = context.write(bytes, context.voidPromise());
  }

  private void substatus(ByteBuf out, NosqlError error) {
    if (error.substatus() != 0) {
      writer.header(out, SUBSTATUS, Integer.toString(error.substatus()));
    }
  }
}
