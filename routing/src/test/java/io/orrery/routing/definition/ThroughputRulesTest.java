package io.orrery.routing.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.Throughput;
import io.orrery.value.MalformedBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThroughputRulesTest {

  @ParameterizedTest
  @ValueSource(ints = {400, 500, 10_000, 1_000_000})
  void manualThroughputComesInStepsOfOneHundred(int units) {
    assertEquals(
        units, ThroughputRules.check(new Throughput.Manual(units), false).peakUnitsPerSecond());
  }

  @ParameterizedTest
  @CsvSource({
    "0,ask for 400 or more",
    "399,ask for 400 or more",
    "450,ask for 400 or 500",
    "1000100,ask for 1000000 or less"
  })
  void otherManualThroughputIsRefusedWithTheCure(int units, String cure) {
    assertRefused(cure, () -> ThroughputRules.check(new Throughput.Manual(units), false));
  }

  @ParameterizedTest
  @CsvSource({"400,1000 or more", "1500,1000 or 2000", "2000000,1000000 or less"})
  void otherAutoscaleMaximumIsRefusedWithTheCure(int units, String cure) {
    assertRefused(cure, () -> ThroughputRules.check(new Throughput.Autoscale(units, 0), false));
  }

  @Test
  void fixedContainerHasAtMostTenThousand() {
    assertRefused(
        "10000 or less", () -> ThroughputRules.check(new Throughput.Manual(10_100), true));
  }

  @Test
  void minimumFollowsTheHighestEver() {
    assertEquals(400, ThroughputRules.minimum(false, 40_000));
    assertEquals(600, ThroughputRules.minimum(false, 50_100));
    assertEquals(1_000, ThroughputRules.minimum(true, 10_000));
    assertEquals(6_000, ThroughputRules.minimum(true, 51_000));
  }

  @Test
  void offerBodyIsReadInBothForms() {
    assertEquals(new Throughput.Manual(2_000), offer("{'content':{'offerThroughput':2000}}"));
    assertEquals(
        new Throughput.Autoscale(4_000, 5),
        offer(
            "{'id':'AUAA','content':{'offerThroughput':400,'offerAutopilotSettings':"
                + "{'maxThroughput':4000,'autoUpgradePolicy':{'throughputPolicy':"
                + "{'incrementPercent':5}}}}}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "{'content':{}}",
        "{'content':{'offerThroughput':'x'}}",
        "{'content':{'offerThroughput':-5}}",
        "{'id':'other','content':{'offerThroughput':400}}",
        "{'content':{'offerAutopilotSettings':{'maxThroughput':null}}}"
      })
  void brokenOfferBodyIsRefused(String body) {
    assertThrows(MalformedBody.class, () -> offer(body));
  }

  private static Throughput offer(String body) {
    return ThroughputRules.ofOffer(Body.json(body.replace('\'', '"')), "AUAA");
  }

  private static void assertRefused(String cure, Runnable work) {
    var refused = assertThrows(MalformedBody.class, work::run);
    assertTrue(String.valueOf(refused.getMessage()).contains(cure), refused.getMessage());
  }
}
