package io.orrery.table;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.orrery.http.AsciiOut;
import io.orrery.http.Origin;
import io.orrery.http.Patience;
import io.orrery.http.Protocol;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.Database;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parsers of the Azure Table protocol; null stands for a refusal. */
public final class FuzzedTable {
  private static final String ACCOUNT = "localhost";
  private static final Origin ORIGIN =
      new Origin(false, null, InetSocketAddress.createUnresolved("localhost", 1));
  private static final Entity.Key KEY = new Entity.Key("p", "r");

  private FuzzedTable() {}

  /**
   * A filter in the query language.
   *
   * @param tree by which it can be evaluated directly
   */
  public record Condition(String sql, Map<String, Body> parameters, Object tree) {}

  public static @Nullable Condition filter(String text) {
    try {
      Filter filter = FilterParser.parse(text);
      var sql = new FilterSql();
      return new Condition(sql.condition(filter), sql.parameters(), filter);
    } catch (RefusedRequest refused) {
      return null;
    }
  }

  /** Whether an entity meets the filter, without the query language. */
  public static boolean meets(Condition condition, byte[] entity, long ticks) {
    return new DirectFilter(EntityReader.read(Bytes.of(entity)), ticks)
        .meets((Filter) condition.tree());
  }

  /** The item that holds an entity. */
  public static @Nullable Body item(byte[] entity) {
    Entity read = entity(entity);
    if (read == null) {
      return null;
    }
    return read.item(
        new Entity.Key(
            read.partitionKey() == null ? KEY.partitionKey() : read.partitionKey(),
            read.rowKey() == null ? KEY.rowKey() : read.rowKey()));
  }

  private static @Nullable Entity entity(byte[] json) {
    try {
      return EntityReader.read(Bytes.of(json));
    } catch (RefusedRequest refused) {
      return null;
    }
  }

  /** What can be compared of an entity: its properties; null when it is none. */
  public static @Nullable Object properties(byte[] json) {
    Entity entity = entity(json);
    return entity == null ? null : entity.properties();
  }

  /** The entity as it is shown, with less or more about its types. */
  public static byte[] shown(byte[] item, boolean full) {
    var out = new AsciiOut();
    Metadata metadata = full ? Metadata.FULL : Metadata.MINIMAL;
    var frame = new EntityWriter.Frame(metadata, "http://localhost", ACCOUNT, "t", null);
    new EntityWriter(out, frame).put(item, 0, 17_000_000_000_000_000L, true);
    ByteBuf buffer = Unpooled.buffer();
    out.writeTo(buffer);
    byte[] bytes = new byte[buffer.readableBytes()];
    buffer.readBytes(bytes);
    return bytes;
  }

  /** The bodies of the requests in a batch. */
  public static @Nullable List<byte[]> batch(String contentType, byte[] body) {
    try {
      return new BatchParts(ACCOUNT, ORIGIN)
          .read(contentType, Bytes.of(body)).requests().stream()
              .map(request -> request.body().array())
              .toList();
    } catch (RefusedRequest refused) {
      return null;
    }
  }

  /** The rights that a shared access signature would give if its signature were right. */
  public static Set<String> sharedAccess(String target, Instant now) {
    TablePath path = TablePath.parse(target, ACCOUNT);
    QueryString parameters = QueryString.of(target);
    if (path == null || parameters == null) {
      return Set.of();
    }
    var sas = new SharedAccess(parameters, ACCOUNT);
    for (String[] payload : sas.payloads()) {
      if (payload.length == 0) {
        throw new IllegalStateException("nothing is signed");
      }
    }
    return sas.access(ORIGIN, path, now) instanceof Access.Granted granted
        ? granted.rights().stream().map(Right::name).collect(Collectors.toSet())
        : Set.of();
  }

  /** Checks signatures; one for all inputs, because each leaves a signer with its thread. */
  public interface SignIn {
    /** Whether headers or the target admit. */
    boolean admits(String target, List<String> headers);
  }

  public static SignIn signIn(AccountKeys keys, InstantSource clock) {
    var authenticator = new Authenticator(ACCOUNT, () -> keys, clock);
    return (target, headers) -> {
      TablePath path = TablePath.parse(target, ACCOUNT);
      QueryString parameters = QueryString.of(target);
      if (path == null || parameters == null) {
        return false;
      }
      var asked = new Authenticator.Asked("GET", path, parameters, signed(headers), ORIGIN);
      return authenticator.admit(asked, new Authenticator.KeyHint()) instanceof Access.Granted;
    };
  }

  private static HttpHeaders signed(List<String> values) {
    HttpHeaders headers =
        DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
    headers.set(TableHeaders.AUTHORIZATION, values.get(0));
    headers.set(TableHeaders.MS_DATE, values.get(1));
    headers.set(TableHeaders.DATE, values.get(2));
    return headers;
  }

  /** The service with the usual settings. */
  public static Protocol<?> service(AccountKeys keys, Database database) {
    return new TableService(TableConfig.plain("localhost", 0, keys), database, Patience.USUAL);
  }
}
