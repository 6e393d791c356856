package io.orrery.nosql;

import io.netty.util.AsciiString;
import io.orrery.operation.Body;
import io.orrery.operation.Outcome;
import io.orrery.operation.QueryMetrics;
import io.orrery.operation.QueryOptions;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** What answers to queries tell beside their rows. */
final class QueryHeaders {
  private static final double NANOS_PER_MILLI = 1e6;

  // Rows with equal sort keys come in ascending order of their rids, always.
  private static final String EXECUTION_INFO =
      "x-ms-cosmos-query-execution-info:"
          + " {\"reverseRidEnabled\":false,\"reverseIndexScan\":false}\r\n";

  private QueryHeaders() {}

  /** The headers with their line ends. */
  static AsciiString of(Outcome.QueryPage page, QueryOptions options) {
    var lines = new StringBuilder(EXECUTION_INFO);
    if (options.metrics()) {
      lines.append("x-ms-documentdb-query-metrics: ").append(text(page.metrics())).append("\r\n");
    }
    Body indexMetrics = page.indexMetrics();
    if (indexMetrics != null) {
      lines
          .append("x-ms-cosmos-index-utilization: ")
          .append(encoded(indexMetrics, options.indexMetrics()))
          .append("\r\n");
    }
    return new AsciiString(lines);
  }

  /** Every key must be there: the Java SDK unboxes what it does not find. */
  private static String text(QueryMetrics metrics) {
    QueryMetrics.Times times = metrics.times();
    return time("totalExecutionTimeInMs", times.totalNanos())
        + (";" + time("queryCompileTimeInMs", times.compileNanos()))
        + (";" + time("queryLogicalPlanBuildTimeInMs", times.planNanos()))
        + (";" + time("queryPhysicalPlanBuildTimeInMs", 0))
        + (";" + time("queryOptimizationTimeInMs", 0))
        + (";" + time("VMExecutionTimeInMs", times.executionNanos()))
        + (";" + time("indexLookupTimeInMs", times.indexLookupNanos()))
        + ";instructionCount=0"
        + (";" + time("documentLoadTimeInMs", times.documentLoadNanos()))
        + (";" + time("systemFunctionExecuteTimeInMs", 0))
        + (";" + time("userFunctionExecuteTimeInMs", 0))
        + (";retrievedDocumentCount=" + metrics.retrieved().count())
        + (";retrievedDocumentSize=" + metrics.retrieved().bytes())
        + (";outputDocumentCount=" + metrics.output().count())
        + (";outputDocumentSize=" + metrics.output().bytes())
        + (";" + time("writeOutputTimeInMs", times.writeOutputNanos()))
        + ";indexUtilizationRatio="
        + twoPlaces(metrics.indexUtilization());
  }

  private static String time(String name, long nanos) {
    return name + "=" + twoPlaces(nanos / NANOS_PER_MILLI);
  }

  private static String twoPlaces(double number) {
    long hundredths = Math.round(number * 100);
    long rest = hundredths % 100;
    return hundredths / 100 + (rest < 10 ? ".0" : ".") + rest;
  }

  private static String encoded(Body metrics, QueryOptions.IndexMetrics form) {
    byte[] json = metrics.bytes().array();
    return form == QueryOptions.IndexMetrics.V1
        ? Base64.getEncoder().encodeToString(json)
        : URLEncoder.encode(metrics.bytes().utf8(), StandardCharsets.UTF_8).replace("+", "%20");
  }
}
