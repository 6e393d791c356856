package io.orrery.model;

import io.orrery.operation.Body;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The definitions that the container has one after the other. */
final class Definitions {
  private static final String UNIQUE = ",'uniqueKeyPolicy':{'uniqueKeys':[{'paths':['/u']}]}";
  private static final List<String> POLICIES =
      List.of(
          "'includedPaths':[{'path':'/*'}]",
          "'includedPaths':[{'path':'/n/?'}],'excludedPaths':[{'path':'/*'}]",
          "'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/n/?'}]");

  /** An order that only such an index allows. */
  private static final String COMPOSITE =
      "'compositeIndexes':[[{'path':'/tag'},{'path':'/n','order':'descending'}]]";

  private Definitions() {}

  /** How many indexing policies there are. */
  static int policies() {
    return POLICIES.size();
  }

  static Body container(boolean uniqueKeys, int policy, @Nullable Integer timeToLive) {
    String text =
        "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},"
            + "'changeFeedPolicy':{'retentionDuration':100000},'indexingPolicy':{"
            + POLICIES.get(policy)
            + ','
            + COMPOSITE
            + '}'
            + (uniqueKeys ? UNIQUE : "")
            + (timeToLive == null ? "" : ",'defaultTtl':" + timeToLive)
            + "}";
    return Body.json(text.replace('\'', '"'));
  }
}
