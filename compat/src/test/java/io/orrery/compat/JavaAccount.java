package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosClientBuilder;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.PartitionKeyDefinition;
import com.azure.cosmos.models.PartitionKeyDefinitionVersion;
import com.azure.cosmos.models.PartitionKind;
import com.azure.cosmos.models.ThroughputProperties;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.function.Executable;

/** The Java SDK, in gateway mode, with a database for each way of deployment. */
final class JavaAccount {
  private static final Map<String, CosmosClient> CLIENTS = new ConcurrentHashMap<>();
  private static final Map<Deployment, JavaAccount> ACCOUNTS = new ConcurrentHashMap<>();

  static {
    Trust.install();
  }

  private final Deployment deployment;
  private final CosmosDatabase database;

  private JavaAccount(Deployment deployment) {
    this.deployment = deployment;
    String name = SharedServer.freshName("java");
    client().createDatabase(name);
    this.database = client().getDatabase(name);
  }

  static JavaAccount of(Deployment deployment) {
    return ACCOUNTS.computeIfAbsent(deployment, JavaAccount::new);
  }

  /** A client for everybody who needs no special one. */
  CosmosClient client() {
    return CLIENTS.computeIfAbsent(deployment.endpoint(), endpoint -> builder().buildClient());
  }

  CosmosClientBuilder builder() {
    return new CosmosClientBuilder()
        .endpoint(deployment.endpoint())
        .key(SharedServer.PRIMARY)
        .gatewayMode()
        .consistencyLevel(ConsistencyLevel.SESSION)
        .contentResponseOnWriteEnabled(true);
  }

  CosmosDatabase database() {
    return database;
  }

  ThroughputProperties throughput() {
    return ThroughputProperties.createManualThroughput(deployment.throughput());
  }

  /** A new container with as many partitions as the deployment asks for. */
  CosmosContainer container(String... keyPaths) {
    return container(
        new CosmosContainerProperties(SharedServer.freshName("coll"), definition(keyPaths)));
  }

  CosmosContainer container(CosmosContainerProperties properties) {
    database.createContainer(properties, throughput());
    return database.getContainer(properties.getId());
  }

  /** One path makes a hash key of version 2, several a hierarchical key. */
  static PartitionKeyDefinition definition(String... keyPaths) {
    return new PartitionKeyDefinition()
        .setPaths(List.of(keyPaths))
        .setKind(keyPaths.length == 1 ? PartitionKind.HASH : PartitionKind.MULTI_HASH)
        .setVersion(PartitionKeyDefinitionVersion.V2);
  }

  /** The status and substatus of a call that must fail, with what every refusal carries. */
  static CosmosException refused(int status, int substatus, Executable call) {
    CosmosException refusal = assertThrows(CosmosException.class, call);
    assertEquals(
        status + "/" + substatus,
        refusal.getStatusCode() + "/" + refusal.getSubStatusCode(),
        refusal::getMessage);
    assertFalse(refusal.getActivityId().isEmpty());
    assertFalse(refusal.getShortMessage().isEmpty());
    return refusal;
  }
}
