package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** Items that expire, and tokens ahead of the server, through the Java SDK. */
@EveryDeployment
class JavaTimeToLiveTest {
  private final JavaAccount account;

  JavaTimeToLiveTest(Deployment deployment) {
    this.account = JavaAccount.of(deployment);
  }

  private CosmosContainer container(int defaultSeconds) {
    var properties =
        new CosmosContainerProperties(
            SharedServer.freshName("coll"), JavaAccount.definition("/pk"));
    return account.container(properties.setDefaultTimeToLiveInSeconds(defaultSeconds));
  }

  private static int statusOfRead(CosmosContainer container, String id) {
    try {
      return container.readItem(id, Items.key("p"), ObjectNode.class).getStatusCode();
    } catch (CosmosException e) {
      return e.getStatusCode();
    }
  }

  @Test
  void itemsExpire() {
    CosmosContainer container = container(1);
    container.createItem(Items.item("short", "p"));
    container.createItem(Items.item("ever", "p").put("ttl", -1));
    while (statusOfRead(container, "short") == 200) {
      Thread.onSpinWait();
    }
    assertEquals(404, statusOfRead(container, "short"));
    assertEquals(
        1,
        container
            .queryItems("SELECT * FROM c", new CosmosQueryRequestOptions(), ObjectNode.class)
            .stream()
            .count());
    container.createItem(Items.item("short", "p"));
    var bad = Items.item("bad", "p").put("ttl", 0);
    assertEquals(
        400, assertThrows(CosmosException.class, () -> container.createItem(bad)).getStatusCode());
  }

  @Test
  void tokensAheadAreRefusedInTheEnd() {
    CosmosContainer container = container(-1);
    String token = container.createItem(Items.item("a", "p")).getSessionToken();
    var ahead =
        new CosmosItemRequestOptions()
            .setSessionToken(token.substring(0, token.indexOf('#')) + "#1000000");
    var refused =
        assertThrows(
            CosmosException.class,
            () -> container.readItem("a", Items.key("p"), ahead, ObjectNode.class));
    assertEquals(404, refused.getStatusCode());
    assertEquals(1002, refused.getSubStatusCode());
  }
}
