package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.ConsistencyLevel;
import com.azure.cosmos.CosmosContainer;
import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.CosmosItemResponse;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Session tokens, consistency levels and request charges through the Java SDK. */
@EveryDeployment
class JavaSessionsTest {
  private static final Pattern TOKEN = Pattern.compile("(\\d+):-1#(\\d+)");
  private final JavaAccount account;
  private final CosmosContainer container;
  private final Deployment deployment;

  JavaSessionsTest(Deployment deployment) {
    this.account = JavaAccount.of(deployment);
    this.container = account.container("/pk");
    this.deployment = deployment;
  }

  private static Matcher token(CosmosItemResponse<?> response) {
    Matcher token = TOKEN.matcher(response.getSessionToken());
    assertTrue(token.matches(), response::getSessionToken);
    return token;
  }

  @Test
  void everyWriteRaisesItsPartitionByOne() {
    Map<String, Long> lsns = new HashMap<>();
    for (int i = 0; i < 30; i++) {
      Matcher token = token(container.createItem(Items.item("a", "key " + i)));
      long lsn = Long.parseLong(token.group(2));
      Long before = lsns.put(token.group(1), lsn);
      if (before != null) {
        assertEquals(before + 1, lsn);
      }
    }
    assertEquals(deployment.ranges(), lsns.size(), "partitions that were written");
  }

  @Test
  void readTellsWhereTheWriteWas() {
    Matcher written = token(container.createItem(Items.item("a", "p")));
    Matcher read = token(container.readItem("a", Items.key("p"), ObjectNode.class));
    assertEquals(written.group(), read.group());
  }

  @Test
  void tokenOfAWriteIsAcceptedByReads() {
    String token = container.createItem(Items.item("a", "p")).getSessionToken();
    var options = new CosmosItemRequestOptions().setSessionToken(token);
    assertEquals(
        200, container.readItem("a", Items.key("p"), options, ObjectNode.class).getStatusCode());
  }

  @ParameterizedTest
  @EnumSource(
      value = ConsistencyLevel.class,
      names = {"SESSION", "CONSISTENT_PREFIX", "EVENTUAL"})
  void weakerLevelsAreServed(ConsistencyLevel level) {
    container.createItem(Items.item("a", "p"));
    var options = new CosmosItemRequestOptions().setConsistencyLevel(level);
    assertEquals(
        200, container.readItem("a", Items.key("p"), options, ObjectNode.class).getStatusCode());
  }

  @Test
  void strongerLevelThanTheAccountsIsRefused() {
    container.createItem(Items.item("a", "p"));
    var options = new CosmosItemRequestOptions().setConsistencyLevel(ConsistencyLevel.STRONG);
    JavaAccount.refused(
        400, 0, () -> container.readItem("a", Items.key("p"), options, ObjectNode.class));
  }

  @Test
  void chargesAreTheSameForTheSameWork() {
    var created = new HashSet<Double>();
    var read = new HashSet<Double>();
    var replaced = new HashSet<Double>();
    var upserted = new HashSet<Double>();
    var deleted = new HashSet<Double>();
    var none = new CosmosItemRequestOptions();
    for (int round = 0; round < 2; round++) {
      CosmosContainer fresh = account.container("/pk");
      ObjectNode item = Items.item("a", "p").put("text", "x".repeat(900));
      created.add(fresh.createItem(item).getRequestCharge());
      read.add(fresh.readItem("a", Items.key("p"), ObjectNode.class).getRequestCharge());
      replaced.add(fresh.replaceItem(item, "a", Items.key("p"), none).getRequestCharge());
      upserted.add(fresh.upsertItem(item).getRequestCharge());
      deleted.add(fresh.deleteItem("a", Items.key("p"), none).getRequestCharge());
    }
    assertEquals(Map.of("read", 1.0), Map.of("read", read.iterator().next()));
    for (var charges : java.util.List.of(created, read, replaced, upserted, deleted)) {
      assertEquals(1, charges.size(), charges::toString);
      assertTrue(charges.iterator().next() >= 1);
    }
  }

  @Test
  void largerItemsCostMore() {
    CosmosItemResponse<ObjectNode> small = container.createItem(Items.item("s", "p"));
    CosmosItemResponse<ObjectNode> large =
        container.createItem(Items.item("l", "p").put("text", "x".repeat(100_000)));
    assertTrue(large.getRequestCharge() > small.getRequestCharge());
    assertTrue(
        container.readItem("l", Items.key("p"), ObjectNode.class).getRequestCharge()
            > container.readItem("s", Items.key("p"), ObjectNode.class).getRequestCharge());
  }

  @Test
  void refusalsAreChargedToo() {
    var refusal =
        JavaAccount.refused(
            404, 0, () -> container.readItem("a", Items.key("p"), ObjectNode.class));
    assertTrue(refusal.getRequestCharge() > 0);
  }
}
