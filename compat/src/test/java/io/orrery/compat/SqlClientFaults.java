package io.orrery.compat;

import java.util.HashMap;
import java.util.Map;

/**
 * Cases whose answer the official clients spoil when they merge partial rows themselves, with the
 * reason and its source. The server's own complete answers have no such exceptions.
 */
final class SqlClientFaults {
  private static final String JAVA_PAYLOAD =
      "the SDK insists on a payload, which undefined has not"
          + " (AggregateDocumentQueryExecutionContext of azure-cosmos 4.81.0)";
  private static final String JAVA_ADDS =
      "the SDK adds up what other partitions gave although one partition's part is undefined"
          + " (SumAggregator, AverageAggregator, MinAggregator of azure-cosmos 4.81.0)";
  private static final String NODE_SUM =
      "an undefined sum becomes NaN and then null, or is skipped"
          + " (SumAggregator of @azure/cosmos 4.10.1)";
  private static final String NODE_COMPARES =
      "null counts as an object that cannot be compared (MaxAggregator of @azure/cosmos 4.10.1)";
  private static final String NODE_SETS =
      "arrays and objects are compared by identity (MakeSetAggregator of @azure/cosmos 4.10.1)";
  private static final String NODE_TYPES =
      "sort keys of mixed types are refused (orderByComparator of @azure/cosmos 4.10.1,"
          + " nosql-wire.md §6)";

  private static final Map<String, String> JAVA = Map.of("dotnet/undefined/proj4", JAVA_PAYLOAD);

  private static final Map<String, String> JAVA_ACROSS =
      Map.of(
          "vercel/aggregate-functions/sumNonNumber", JAVA_ADDS,
          "vercel/misc/aggregationWithArrayAndObject", JAVA_ADDS,
          "vercel/misc/aggregationWithBoolean", JAVA_ADDS,
          "vercel/misc/aggregationWithNull", JAVA_ADDS);

  private static final Map<String, String> NODE =
      Map.of(
          "vercel/misc/aggregationWithArrayAndObject", NODE_SUM,
          "vercel/misc/aggregationWithBoolean", NODE_SUM,
          "vercel/misc/aggregationWithNull", NODE_SUM,
          "vercel/misc/aggregationWithString", NODE_SUM,
          "dotnet/undefined/group3", NODE_SUM,
          "dotnet/undefined/proj7", NODE_SUM);

  private static final Map<String, String> NODE_ACROSS =
      Map.of(
          "vercel/misc/DoNotfilterUndefinedMultipleOrderBy", NODE_TYPES,
          "dotnet/undefined/orderby1", NODE_TYPES,
          "dotnet/undefined/orderby4", NODE_TYPES,
          "dotnet/undefined/orderby5", NODE_TYPES,
          "dotnet/undefined/orderby6", NODE_TYPES,
          "dotnet/aggregate-mixed/37", NODE_COMPARES,
          "dotnet/undefined/group6", NODE_COMPARES,
          "dotnet/aggregate-mixed/103", NODE_SETS,
          "dotnet/aggregate-mixed/109", NODE_SETS);

  private SqlClientFaults() {}

  /** By the id of the case, for containers of so many partitions. */
  static Map<String, String> java(int ranges) {
    return ranges == 1 ? JAVA : both(JAVA, JAVA_ACROSS);
  }

  static Map<String, String> node(int ranges) {
    return ranges == 1 ? NODE : both(NODE, NODE_ACROSS);
  }

  private static Map<String, String> both(Map<String, String> one, Map<String, String> other) {
    var both = new HashMap<>(one);
    both.putAll(other);
    return both;
  }
}
