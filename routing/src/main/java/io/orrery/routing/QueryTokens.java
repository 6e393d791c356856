package io.orrery.routing;

import io.orrery.operation.Operation.QueryItems;
import io.orrery.query.CompiledQuery;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.SqlPrinter;
import io.orrery.routing.catalog.ContainerEntry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The continuations of queries. Each is good for its query alone, and it decides how the query goes
 * on: an index that comes or goes between two pages does not matter to a query that runs.
 */
final class QueryTokens {
  private final Continuations continuations;

  QueryTokens(Continuations continuations) {
    this.continuations = continuations;
  }

  /**
   * Where the query goes on; null at its beginning.
   *
   * @throws Refused when the continuation is not one of this query
   */
  @Nullable QueryToken of(QueryItems request, CompiledQuery query, ContainerEntry container) {
    String continuation = request.page().continuation();
    if (continuation == null) {
      return null;
    }
    String found = continuations.find(stream(request, query, container), continuation);
    return QueryToken.parse(
        found == null ? continuations.open(result(request, container), continuation) : found);
  }

  /** The number of the member that keeps the result the query goes on in; null where none does. */
  @Nullable Long keeper(QueryItems request, ContainerEntry container) {
    String continuation = request.page().continuation();
    String found =
        continuation == null ? null : continuations.find(result(request, container), continuation);
    return found != null && QueryToken.parse(found) instanceof QueryToken.Kept kept
        ? Long.valueOf(kept.node())
        : null;
  }

  String seal(QueryToken token, QueryItems request, CompiledQuery query, ContainerEntry container) {
    String feed =
        switch (token) {
          case QueryToken.Streamed _ -> stream(request, query, container);
          // What was gathered counts for the scope it was gathered in, and once.
          case QueryToken.Grouped(var groups, _) ->
              groups.isEmpty() ? stream(request, query, container) : result(request, container);
          case QueryToken.Kept _ -> result(request, container);
        };
    return continuations.seal(feed, token.text());
  }

  /**
   * What positions belong to. Clients that merge by themselves go on in an ORDER BY with another
   * filter than they began with, and after a split in another range: neither is a part of it.
   */
  private static String stream(QueryItems request, CompiledQuery query, ContainerEntry container) {
    String text =
        query.shape() == CompiledQuery.Shape.ORDERED
            ? SqlPrinter.print(unfiltered(query.query()))
            : request.query().text();
    return "stream " + container.rid() + ' ' + digest(text, request, "");
  }

  /** The same for the same query with the same parameters over the same scope. */
  static String result(QueryItems request, ContainerEntry container) {
    String text = request.query().text();
    return "result " + container.rid() + ' ' + digest(text, request, request.scope().toString());
  }

  private static Query unfiltered(Query query) {
    return new Query(
        query.select(), query.from(), null, query.groupBy(), query.orderBy(), query.offsetLimit());
  }

  private static String digest(String text, QueryItems request, String scope) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, text.getBytes(StandardCharsets.UTF_8));
      new TreeMap<>(request.query().parameters())
          .forEach(
              (name, value) -> {
                add(digest, name.getBytes(StandardCharsets.UTF_8));
                add(digest, value.bytes().array());
              });
      add(digest, scope.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  private static void add(MessageDigest digest, byte[] part) {
    digest.update(ByteBuffer.allocate(4).putInt(part.length).array());
    digest.update(part);
  }
}
