package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Clients of three nodes over a real cluster, to whose servers harm is done while they work: {@code
 * ./orrery dev-cluster faults}. Nothing that was acknowledged may be lost or there twice, nothing
 * stale may be read, and no request may fail that could have waited.
 */
@EnabledIfSystemProperty(named = "cluster.faults", matches = ".+")
class ClusterFaultsTest {
  private static final long SEED = Long.getLong("cluster.seed", System.nanoTime());
  private static final List<FaultReport> REPORTS = new ArrayList<>();

  static List<ClusterFault> faults() {
    return ClusterFault.named(System.getProperty("cluster.faults", "none"));
  }

  @BeforeAll
  static void prepare() {
    OrreryProcess.allowPlainHttp();
    Node.installClient();
    System.out.println("cluster.seed=" + SEED);
  }

  @ParameterizedTest
  @MethodSource("faults")
  void nothingIsLostNothingIsStale(ClusterFault fault) throws Exception {
    DevCluster.startMissing();
    try (var run = new FaultRun(fault, SEED)) {
      FaultReport report = run.report();
      REPORTS.add(report);
      System.out.println(report.line());
      assertEquals(List.of(), report.early(), "Requests failed that should have waited");
    }
  }

  @AfterAll
  static void print() {
    System.out.println(FaultReport.title());
    REPORTS.forEach(report -> System.out.println(report.line()));
  }
}
