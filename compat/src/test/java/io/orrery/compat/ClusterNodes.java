package io.orrery.compat;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Nodes over one storage that somebody else has started, on this machine and without keys of their
 * own.
 */
final class ClusterNodes {
  static final List<String> ADDRESSES =
      Arrays.stream(System.getProperty("cluster.nodes", "").split(",", -1))
          .filter(address -> !address.isBlank())
          .toList();

  /** The key that every server on loopback takes, unless another one is named. */
  static final String KEY =
      System.getProperty(
          "cluster.key",
          "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==");

  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(3);

  private ClusterNodes() {}

  static List<Rest> rest() {
    return ADDRESSES.stream().map(address -> Rest.to(endpoint(address), KEY)).toList();
  }

  static URI endpoint(String address) {
    return URI.create("http://" + address + "/");
  }

  static CosmosClient client(String address) {
    return new CosmosClientBuilder()
        .endpoint(endpoint(address).toString())
        .key(KEY)
        .gatewayMode()
        .endpointDiscoveryEnabled(false)
        .consistencyLevel(ConsistencyLevel.SESSION)
        .contentResponseOnWriteEnabled(true)
        .buildClient();
  }

  /** What comes of it once the nodes have recovered. */
  static <T> T patiently(Supplier<T> asked) throws InterruptedException {
    long until = System.nanoTime() + PATIENCE_NANOS;
    while (true) {
      try {
        return asked.get();
      } catch (RuntimeException | AssertionError notYet) {
        if (System.nanoTime() > until) {
          throw notYet;
        }
        TimeUnit.MILLISECONDS.sleep(500);
      }
    }
  }
}
