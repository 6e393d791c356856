package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** The Java SDK finds the account, signs with any of its keys and diagnoses its requests. */
@EveryDeployment
class JavaAccountTest {
  private final JavaAccount account;

  JavaAccountTest(Deployment deployment) {
    account = JavaAccount.of(deployment);
  }

  @Test
  void newClientReadsTheAccountAndServes() {
    try (CosmosClient client = account.builder().buildClient()) {
      var database = client.getDatabase(account.database().getId());
      assertEquals(200, database.read().getStatusCode());
    }
  }

  @Test
  void secondaryKeyWritesToo() {
    try (CosmosClient client = account.builder().key(SharedServer.SECONDARY).buildClient()) {
      String name = SharedServer.freshName("secondary");
      assertEquals(201, client.createDatabase(name).getStatusCode());
      assertEquals(204, client.getDatabase(name).delete().getStatusCode());
    }
  }

  @Test
  void readOnlyKeysReadAndAreRefusedOnWrites() {
    CosmosContainer container = account.container("/pk");
    container.createItem(Items.item("a", "p"));
    for (String key :
        new String[] {SharedServer.PRIMARY_READONLY, SharedServer.SECONDARY_READONLY}) {
      try (CosmosClient client = account.builder().key(key).buildClient()) {
        var same = client.getDatabase(account.database().getId()).getContainer(container.getId());
        assertEquals(200, same.readItem("a", Items.key("p"), ObjectNode.class).getStatusCode());
        JavaAccount.refused(403, 0, () -> same.createItem(Items.item("b", "p")));
        JavaAccount.refused(403, 0, () -> client.createDatabase("never"));
      }
    }
  }

  @Test
  void wrongKeyIsRefused() {
    String wrong = SharedServer.PRIMARY.replace('a', 'b');
    // The SDK reads the account at once, and wraps what goes wrong.
    var refusal =
        assertThrows(RuntimeException.class, () -> account.builder().key(wrong).buildClient());
    assertTrue(String.valueOf(refusal.getMessage()).contains("wrong key"), refusal::toString);
  }

  @Test
  void diagnosticsTellOfTheRequest() {
    CosmosContainer container = account.container("/pk");
    CosmosItemResponse<ObjectNode> created = container.createItem(Items.item("a", "p"));
    String diagnostics = created.getDiagnostics().toString();
    assertTrue(diagnostics.contains("\"statusCode\":201"), diagnostics);
    assertTrue(created.getDiagnostics().getDuration().isPositive());
    assertTrue(diagnostics.contains(created.getActivityId()), diagnostics);
  }
}
