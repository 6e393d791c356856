package io.orrery.routing;

import static io.orrery.routing.TestDatabase.KEYED;
import static io.orrery.routing.TestDatabase.json;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PageRequest;
import io.orrery.operation.Precondition;
import io.orrery.operation.Refusal;
import io.orrery.operation.Resource;
import io.orrery.operation.ResourceFeed;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import io.orrery.value.Json;
import io.orrery.value.ResourceJson;
import io.orrery.value.Value;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OffersTest {
  private TestDatabase database = new TestDatabase(true);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void containerGetsFourHundredWhenNothingIsSaid() {
    database.createDatabase("d");
    Resource container = database.createContainer(KEYED, null);
    var offer = offerOf(container);
    assertEquals(400, offer.minimumUnitsPerSecond());
    assertEquals(
        "{'resource':'"
            + container.self()
            + "','offerType':'Invalid','offerResourceId':'"
            + container.rid()
            + "','offerVersion':'V2','content':{'offerThroughput':400,"
            + "'offerIsRUPerMinuteThroughputEnabled':false,'offerMinimumThroughputParameters':"
            + "{'maxThroughputEverProvisioned':400,'maxConsumedStorageEverInKB':0}},'id':'AQAA'}",
        offer.resource().definition().bytes().utf8().replace('"', '\''));
  }

  @Test
  void autoscaleShowsItsSettings() {
    database.createDatabase("d");
    Resource container = database.createContainer(KEYED, new Throughput.Autoscale(4_000, 0));
    var offer = offerOf(container);
    assertEquals(1_000, offer.minimumUnitsPerSecond());
    assertTrue(
        offer
            .resource()
            .definition()
            .bytes()
            .utf8()
            .contains(
                "\"offerAutopilotSettings\":{\"tier\":0,\"maximumTierThroughput\":4000,"
                    + "\"autoUpgrade\":false,\"maxThroughput\":4000}"));
  }

  @Test
  void containersShareTheOfferOfTheirDatabase() {
    Resource owner = database.createDatabase("d", new Throughput.Manual(20_000));
    Resource shared = database.createContainer(KEYED, null);
    assertEquals(List.of(), find(shared.rid()));
    assertEquals(1, find(owner.rid()).size());
    Resource own =
        database.createContainer(KEYED.replace("'c'", "'own'"), new Throughput.Manual(400));
    assertEquals(1, find(own.rid()).size());
  }

  @Test
  void replacedOfferIsKeptAcrossARestart() {
    database.createDatabase("d");
    Resource container = database.createContainer(KEYED, new Throughput.Manual(1_000));
    var offer = offerOf(container);
    var replaced = replace(offer.resource(), "{'content':{'offerThroughput':60000}}");
    assertEquals(600, assertInstanceOf(Outcome.OfferRead.class, replaced).minimumUnitsPerSecond());
    database.restart();
    assertTrue(text(offerOf(container).resource()).contains("\"offerThroughput\":60000"));
    assertInstanceOf(
        Refusal.BadRequest.class,
        replace(offer.resource(), "{'content':{'offerThroughput':500}}"),
        "below the minimum");
    var autoscale =
        replace(offer.resource(), "{'content':{'offerAutopilotSettings':{'maxThroughput':10000}}}");
    assertInstanceOf(Outcome.OfferRead.class, autoscale);
    assertTrue(text(offerOf(container).resource()).contains("\"maxThroughput\":10000"));
  }

  @Test
  void containerThatMayNotSplitRefusesMoreThanItsPartitionsCarry() {
    database.createDatabase("d");
    Resource small = database.createContainer(KEYED, null);
    assertRefused(small, "{'content':{'offerThroughput':10100}}", "created with less than 1,000");
    assertInstanceOf(
        Outcome.OfferRead.class,
        replace(offerOf(small).resource(), "{'content':{'offerThroughput':10000}}"));
    Resource fixed = database.createContainer("{'id':'fixed'}", null);
    assertRefused(fixed, "{'content':{'offerThroughput':10100}}", "10000 or less");
  }

  @Test
  void everyKeyedContainerMayGrowToday() {
    database.close();
    database = new TestDatabase(true, Limits.TODAY);
    database.createDatabase("d");
    Resource small = database.createContainer(KEYED, null);
    assertInstanceOf(
        Outcome.OfferRead.class,
        replace(offerOf(small).resource(), "{'content':{'offerThroughput':20000}}"));
  }

  @Test
  void invalidThroughputIsRefusedAtCreation() {
    database.createDatabase("d");
    assertInstanceOf(
        Refusal.BadRequest.class, database.tryCreateContainer(KEYED, new Throughput.Manual(450)));
    assertInstanceOf(
        Refusal.BadRequest.class,
        database.outcome(
            new Operation.CreateDatabase(json("{'id':'x'}"), new Throughput.Autoscale(500, 0))));
  }

  @Test
  void missingOfferIsNotFound() {
    assertEquals(
        new Refusal.NotFound(),
        database.outcome(new Operation.ReadOffer("AUAA", Precondition.NONE)));
  }

  @Test
  void nodeFindsTheOfferByTheContainersSelf() {
    database.createDatabase("d");
    Resource container = database.createContainer(KEYED, null);
    var rows =
        query(
            new SqlQuery(
                "SELECT * from root where root.resource = \"" + container.self() + "\"", Map.of()));
    assertEquals(List.of(ResourceJson.body(offerOf(container).resource())), rows);
  }

  private List<Body> find(String rid) {
    return query(
        new SqlQuery(
            "select * from c where c.offerResourceId = @resourceId",
            Map.of("@resourceId", json("'" + rid + "'"))));
  }

  private List<Body> query(SqlQuery query) {
    var listed =
        database.outcome(
            new Operation.ListResources(new ResourceFeed.Offers(), PageRequest.FIRST, query));
    return assertInstanceOf(Outcome.RowPage.class, listed).rows();
  }

  private Outcome.OfferRead offerOf(Resource resource) {
    Value offer = Json.parse(find(resource.rid()).getFirst().bytes().array());
    Value id = ((Value.Obj) offer).members().getOrDefault("id", Value.UNDEFINED);
    var read =
        database.outcome(new Operation.ReadOffer(((Value.Text) id).value(), Precondition.NONE));
    return assertInstanceOf(Outcome.OfferRead.class, read);
  }

  private Outcome replace(Resource offer, String body) {
    return database.outcome(new Operation.ReplaceOffer(offer.rid(), json(body), Precondition.NONE));
  }

  private void assertRefused(Resource container, String body, String reason) {
    var refused =
        assertInstanceOf(Refusal.BadRequest.class, replace(offerOf(container).resource(), body));
    assertTrue(refused.message().contains(reason), refused.message());
  }

  private static String text(Resource resource) {
    return resource.definition().bytes().utf8();
  }
}
