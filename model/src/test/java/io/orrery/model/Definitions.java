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
          "'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/n/?'}]",
          "'indexingMode':'none','automatic':false");
  private static final int NONE = POLICIES.size() - 1;

  /** An order that only such an index allows. */
  private static final String COMPOSITE =
      "'compositeIndexes':[[{'path':'/tag'},{'path':'/n','order':'descending'}]]";

  private Definitions() {}

  /** How many indexing policies there are, the last of which has no index. */
  static int policies() {
    return POLICIES.size();
  }

  /** How many of them have an index. */
  static int indexed() {
    return NONE;
  }

  /** A container whose items expire has an index. */
  static Body container(boolean uniqueKeys, int policy, @Nullable Integer timeToLive) {
    String text =
        "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},"
            + "'changeFeedPolicy':{'retentionDuration':100000},'indexingPolicy':{"
            + POLICIES.get(timeToLive == null ? policy : policy % NONE)
            + ','
            + COMPOSITE
            + '}'
            + (uniqueKeys ? UNIQUE : "")
            + (timeToLive == null ? "" : ",'defaultTtl':" + timeToLive)
            + "}";
    return Body.json(text.replace('\'', '"'));
  }
}
