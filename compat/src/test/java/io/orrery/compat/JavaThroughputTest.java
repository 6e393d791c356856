package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ThroughputProperties;
import com.azure.cosmos.models.ThroughputResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Offers through the Java SDK. */
@EveryDeployment
class JavaThroughputTest {
  private final JavaAccount account;
  private final Deployment deployment;

  JavaThroughputTest(Deployment deployment) {
    this.account = JavaAccount.of(deployment);
    this.deployment = deployment;
  }

  private CosmosContainer with(ThroughputProperties throughput) {
    String name = SharedServer.freshName("coll");
    account.database().createContainer(new CosmosContainerProperties(name, "/pk"), throughput);
    return account.database().getContainer(name);
  }

  @Test
  void manualThroughputIsReadAndReplaced() {
    CosmosContainer container = account.container("/pk");
    ThroughputResponse read = container.readThroughput();
    assertEquals(200, read.getStatusCode());
    assertEquals(deployment.throughput(), read.getProperties().getManualThroughput());
    assertTrue(read.getMinThroughput() >= 400, () -> "minimum " + read.getMinThroughput());
    assertFalse(read.isReplacePending());
    int more = deployment.throughput() - 100 < 400 ? 500 : deployment.throughput() - 100;
    ThroughputResponse replaced =
        container.replaceThroughput(ThroughputProperties.createManualThroughput(more));
    assertEquals(200, replaced.getStatusCode());
    assertEquals(more, replaced.getProperties().getManualThroughput());
    assertEquals(more, container.readThroughput().getProperties().getManualThroughput());
    assertEquals(deployment.ranges(), container.getFeedRanges().size());
  }

  @Test
  void autoscaleThroughputIsReadAndReplaced() {
    int maximum = Math.max(deployment.throughput(), 4000);
    CosmosContainer container = with(ThroughputProperties.createAutoscaledThroughput(maximum));
    assertEquals(deployment.ranges(), container.getFeedRanges().size());
    assertEquals(maximum, container.readThroughput().getProperties().getAutoscaleMaxThroughput());
    int other = maximum == 4000 ? 5000 : maximum - 1000;
    container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(other));
    assertEquals(other, container.readThroughput().getProperties().getAutoscaleMaxThroughput());
  }

  @Test
  void manualThroughputBecomesAutoscale() {
    CosmosContainer container = account.container("/pk");
    int maximum = Math.max(deployment.throughput(), 4000);
    container.replaceThroughput(ThroughputProperties.createAutoscaledThroughput(maximum));
    assertEquals(maximum, container.readThroughput().getProperties().getAutoscaleMaxThroughput());
  }

  @Test
  void containerWithoutThroughputGets400() {
    String name = SharedServer.freshName("coll");
    account.database().createContainer(name, "/pk");
    CosmosContainer container = account.database().getContainer(name);
    assertEquals(400, container.readThroughput().getProperties().getManualThroughput());
    assertEquals(1, container.getFeedRanges().size());
  }

  @Test
  void databaseSharesItsThroughput() {
    String name = SharedServer.freshName("shared");
    account.client().createDatabase(name, ThroughputProperties.createManualThroughput(1000));
    CosmosDatabase database = account.client().getDatabase(name);
    assertEquals(1000, database.readThroughput().getProperties().getManualThroughput());
    database.replaceThroughput(ThroughputProperties.createManualThroughput(1200));
    assertEquals(1200, database.readThroughput().getProperties().getManualThroughput());

    database.createContainer("sharing", "/pk");
    assertNoOffer(() -> database.getContainer("sharing").readThroughput());
    assertEquals(
        201, database.getContainer("sharing").createItem(Items.item("a", "p")).getStatusCode());

    database.createContainer(new CosmosContainerProperties("own", "/pk"), account.throughput());
    CosmosContainer own = database.getContainer("own");
    assertEquals(
        deployment.throughput(), own.readThroughput().getProperties().getManualThroughput());
    assertEquals(deployment.ranges(), own.getFeedRanges().size());
  }

  /** The SDK makes this error itself when no offer is found. */
  private static void assertNoOffer(Executable call) {
    assertEquals(400, assertThrows(CosmosException.class, call).getStatusCode());
  }

  @Test
  void autoscaleDatabaseIsRead() {
    String name = SharedServer.freshName("shared");
    account.client().createDatabase(name, ThroughputProperties.createAutoscaledThroughput(4000));
    CosmosDatabase database = account.client().getDatabase(name);
    assertEquals(4000, database.readThroughput().getProperties().getAutoscaleMaxThroughput());
  }

  @Test
  void databaseWithoutThroughputHasNoOffer() {
    assertNoOffer(() -> account.database().readThroughput());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 100, 399, 450})
  void throughputOutOfStepIsRefused(int unitsPerSecond) {
    var throughput = ThroughputProperties.createManualThroughput(unitsPerSecond);
    JavaAccount.refused(400, 0, () -> with(throughput));
    CosmosContainer container = account.container("/pk");
    JavaAccount.refused(400, 0, () -> container.replaceThroughput(throughput));
  }
}
