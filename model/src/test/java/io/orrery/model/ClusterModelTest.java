package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Several nodes over one storage, among which clients choose, while nodes and messages are lost.
 * {@code -Dmodel.cluster.rounds=N} asks for more, {@code -Dmodel.cluster.faults=KILL,SPLIT} for
 * some, {@code -Dmodel.seed=N} for the same requests and faults again, {@code
 * -Dmodel.zookeeper=HOST:PORT} for HBase instead of memory.
 */
class ClusterModelTest {
  private static final String ALL_FAULTS = "KILL,PAUSE,LEAVE,JOIN,CUT,LOSE,SPLIT,MERGE,INDEX";

  /** Each has two faults; with nine kinds of them, so many let every two meet. */
  private static final int ROUNDS = Integer.getInteger("model.cluster.rounds", 45);

  private static final List<ClusterFault> FAULTS =
      Stream.of(System.getProperty("model.cluster.faults", ALL_FAULTS).split(",", -1))
          .map(ClusterFault::valueOf)
          .toList();

  private static final long SEED = Long.getLong("model.seed", System.nanoTime());

  /** All that clients ask, beside the faults; what is missing in a run has met nobody. */
  private static final Set<String> ASKED =
      Set.of(
          "Create",
          "Upsert",
          "Replace",
          "Rename",
          "Patch",
          "PatchIf",
          "Merge",
          "Delete",
          "Read",
          "ByNumber",
          "DeleteKey",
          "Batch",
          "Session",
          "Eventual",
          "Query",
          "FanOut",
          "Feed");

  @Test
  void everyAnswerIsThatOfTheModel() throws Exception {
    System.out.println("model.seed=" + SEED);
    var matrix = new Matrix();
    String zookeeper = System.getProperty("model.zookeeper", "");
    try (ClusterEngine engine =
        zookeeper.isEmpty() ? ClusterEngine.memory() : ClusterEngine.hbase(zookeeper, SEED)) {
      var nodes = new ClusterNodes(engine, new Random(~SEED));
      var run = new ClusterRun(nodes, FAULTS, matrix, new Random(SEED));
      run.run(ROUNDS, () -> never(matrix).isEmpty());
      System.out.println(run.summary());
    }
    System.out.println(matrix);
    assertEquals(List.of(), never(matrix), "kinds that never overlapped");
  }

  /** Where the rounds let every two faults meet. */
  private static List<String> never(Matrix matrix) {
    if (ROUNDS < FAULTS.size() * (FAULTS.size() + 1) / 2) {
      return List.of();
    }
    var kinds = new TreeSet<>(ASKED);
    FAULTS.forEach(fault -> kinds.add(fault.kind()));
    return matrix.empty(kinds);
  }
}
