package io.orrery.model;

import io.orrery.partition.FeedSlice;
import io.orrery.partition.Partition;
import io.orrery.partition.QueryChunk;
import io.orrery.partition.QueryTask;
import io.orrery.partition.RowPosition;
import io.orrery.partition.Want;
import io.orrery.query.CompiledQuery;
import io.orrery.query.GroupTable;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import io.orrery.query.index.IndexedQuery;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Asks a partition for all rows of a query. */
final class PartitionQueries {
  private static final String RID = "AAAAAAAAAAA=";
  private static final int BYTES_MAX = 4 << 20;
  private static final Map<Look, CompiledQuery> COMPILED = new EnumMap<>(Look.class);

  static {
    for (Look look : Look.values()) {
      COMPILED.put(look, Queries.compile(look.sql()));
    }
  }

  private PartitionQueries() {}

  static Driver.Rows<String> run(Partition partition, Look look, FeedSlice slice, int pageRows) {
    CompiledQuery query = Objects.requireNonNull(COMPILED.get(look));
    var asked = new IndexedQuery(query, Parameters.none());
    var rows = new ArrayList<String>();
    GroupTable groups = null;
    RowPosition after = null;
    long lsn;
    do {
      long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
      QueryChunk chunk =
          partition.query(
              new QueryTask(
                  asked, RID, slice, wantOf(query), after, pageRows, BYTES_MAX, deadline));
      chunk.rows().forEach(row -> rows.add(text(row.row())));
      if (groups == null) {
        groups = chunk.groups();
      } else if (chunk.groups() != null) {
        groups.merge(chunk.groups());
      }
      after = chunk.next();
      lsn = chunk.lsn();
    } while (after != null);
    if (groups != null) {
      groups.rows().forEach(row -> rows.add(text(row)));
    }
    List<String> given = look.isSorted() ? rows : rows.stream().sorted().toList();
    return new Driver.Rows<>(given, lsn);
  }

  private static Want wantOf(CompiledQuery query) {
    return switch (query.shape()) {
      case ROWS -> Want.ROWS;
      case ORDERED -> Want.ORDERED;
      case GROUPED -> Want.GROUPS;
      case RANKED -> Want.KEYED;
    };
  }

  private static String text(Value value) {
    return new String(Json.write(value), StandardCharsets.UTF_8);
  }
}
