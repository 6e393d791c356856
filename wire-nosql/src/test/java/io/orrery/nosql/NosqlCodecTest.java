package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpMethod;
import io.orrery.http.Origin;
import io.orrery.operation.Body;
import io.orrery.operation.Bytes;
import io.orrery.operation.ConsistencyLevel;
import io.orrery.operation.EffectivePartitionKey;
import io.orrery.operation.EpkRange;
import io.orrery.operation.Etag;
import io.orrery.operation.FeedScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.PageRequest;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.SqlQuery;
import io.orrery.operation.Throughput;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class NosqlCodecTest {

  private static NosqlRequest request(String... headers) {
    return request(Bytes.EMPTY, headers);
  }

  private static NosqlRequest request(Bytes body, String... headers) {
    var all = DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
    for (int i = 0; i < headers.length; i += 2) {
      all.add(headers[i], headers[i + 1]);
    }
    String target = "/dbs/d/colls/c/docs";
    return new NosqlRequest(
        HttpMethod.GET,
        target,
        Objects.requireNonNull(ResourcePath.parse(target)),
        all,
        body,
        new Origin(false, null, null));
  }

  private static PartitionKey key(String header) {
    return Objects.requireNonNull(
        NosqlCodec.partitionKey(request("x-ms-documentdb-partitionkey", header)));
  }

  private static PartitionKey text(String value) {
    return PartitionKey.of(value);
  }

  @Test
  void partitionKeysAreRead() {
    assertEquals(text("a b"), key("[\"a b\"]"));
    assertEquals(text(""), key("[\"\"]"));
    assertEquals(text("\u53f0\"\\"), key("[\"\\u53F0\\\"\\\\\"]"));
    assertEquals(text("caf\u00e9"), key("[\"caf\u00c3\u00a9\"]"));
    assertEquals(PartitionKey.of(new KeyComponent.Num(5)), key("[5.0]"));
    assertEquals(PartitionKey.of(new KeyComponent.Num(1e10)), key("[1.0E10]"));
    assertEquals(PartitionKey.of(KeyComponent.Null.NULL), key("[null]"));
    assertEquals(PartitionKey.of(KeyComponent.Undefined.UNDEFINED), key("[{}]"));
    assertEquals(PartitionKey.EMPTY, key("[]"));
    assertEquals(
        PartitionKey.of(new KeyComponent.Text("x"), new KeyComponent.Bool(true)),
        key("[\"x\",true]"));
    assertNull(NosqlCodec.partitionKey(request("X-MS-DocumentDB-PartitionKey", "")));
  }

  @Test
  void brokenPartitionKeysAreRefused() {
    for (String header : List.of("a", "[\"a\"", "[\"a\"]]", "[[1]]", "[\"\u00ff\"]", "[1e999]")) {
      assertEquals(400, assertThrows(RefusedRequest.class, () -> key(header)).error().status());
    }
  }

  @Test
  void preconditionsAreRead() {
    assertEquals(Precondition.NONE, NosqlCodec.precondition(request("if-match", "")));
    assertEquals(
        new Precondition.EtagMatches(new Etag("\"1\"")),
        NosqlCodec.precondition(request("If-Match", "\"1\"", "If-None-Match", "*")));
    assertEquals(new Precondition.Exists(), NosqlCodec.precondition(request("If-Match", "*")));
    assertEquals(
        new Precondition.EtagDiffers(new Etag("\"1\"")),
        NosqlCodec.precondition(request("If-None-Match", "1")));
    assertEquals(new Precondition.Absent(), NosqlCodec.precondition(request("If-None-Match", "*")));
  }

  @Test
  void pagesAreRead() {
    assertEquals(PageRequest.FIRST, NosqlCodec.page(request("x-ms-continuation", "")));
    assertEquals(PageRequest.FIRST, NosqlCodec.page(request("x-ms-max-item-count", "-1")));
    assertEquals(PageRequest.FIRST, NosqlCodec.page(request("x-ms-max-item-count", "0")));
    assertEquals(
        new PageRequest(100_000, null),
        NosqlCodec.page(request("x-ms-max-item-count", "2000000000")));
    assertEquals(
        new PageRequest(7, "t"),
        NosqlCodec.page(request("x-ms-max-item-count", "7", "x-ms-continuation", "t")));
    for (String count : List.of("-2", "x", "99999999999", "1.5")) {
      assertThrows(
          RefusedRequest.class, () -> NosqlCodec.page(request("x-ms-max-item-count", count)));
    }
  }

  @Test
  void feedScopesAreRead() {
    assertEquals(new FeedScope.Whole(), NosqlCodec.feedScope(request()));
    assertEquals(
        new FeedScope.OfKey(text("a")),
        NosqlCodec.feedScope(request("x-ms-documentdb-partitionkey", "[\"a\"]")));
    assertEquals(
        new FeedScope.OfRange("3", null),
        NosqlCodec.feedScope(request("x-ms-documentdb-partitionkeyrangeid", "DJB7AI1lZHo=,3")));
    assertEquals(
        new FeedScope.OfRange(
            "3", new EpkRange(EffectivePartitionKey.MIN, new EffectivePartitionKey("3F"))),
        NosqlCodec.feedScope(
            request("x-ms-documentdb-partitionkeyrangeid", "3", "x-ms-end-epk", "3f")));
  }

  @Test
  void throughputIsRead() {
    assertNull(NosqlCodec.throughput(request()));
    assertEquals(
        new Throughput.Manual(1000),
        NosqlCodec.throughput(request("x-ms-offer-throughput", "1000")));
    String settings =
        "{\"maxThroughput\":4000,\"autoUpgradePolicy\":{\"throughputPolicy\":{\"incrementPercent\":7}}}";
    assertEquals(
        new Throughput.Autoscale(4000, 7),
        NosqlCodec.throughput(request("x-ms-cosmos-offer-autopilot-settings", settings)));
    for (String broken :
        List.of("{", "{}", "{\"maxThroughput\":\"4000\"}", "{\"maxThroughput\":1e99}")) {
      assertThrows(
          RefusedRequest.class,
          () -> NosqlCodec.throughput(request("x-ms-cosmos-offer-autopilot-settings", broken)));
    }
    assertThrows(
        RefusedRequest.class,
        () ->
            NosqlCodec.throughput(
                request(
                    "x-ms-offer-throughput",
                    "400",
                    "x-ms-cosmos-offer-autopilot-settings",
                    settings)));
  }

  @Test
  void onlyWeakerLevelsOfConsistencyAreGiven() {
    NosqlCodec.checkConsistency(request(), ConsistencyLevel.EVENTUAL);
    NosqlCodec.checkConsistency(
        request("x-ms-consistency-level", "eventual"), ConsistencyLevel.SESSION);
    for (String level : List.of("Strong", "Often")) {
      assertThrows(
          RefusedRequest.class,
          () ->
              NosqlCodec.checkConsistency(
                  request("x-ms-consistency-level", level), ConsistencyLevel.SESSION));
    }
  }

  @Test
  void queriesAreRead() {
    Bytes json =
        Bytes.utf8("{\"query\":\"q\",\"parameters\":[{\"name\":\"@a\",\"value\":{\"b\":1}}]}");
    NosqlRequest asked = request(json, "Content-Type", "application/query+json; charset=utf-8");
    assertEquals(true, QueryDocument.isIn(asked));
    assertEquals(
        new SqlQuery("q", Map.of("@a", Body.json("{\"b\":1}"))), QueryDocument.read(asked));
    NosqlRequest raw = request(Bytes.utf8("SELECT 1"), "Content-Type", "application/sql");
    assertEquals(true, QueryDocument.isIn(raw));
    assertEquals(new SqlQuery("SELECT 1", Map.of()), QueryDocument.read(raw));
    assertEquals(true, QueryDocument.isIn(request("x-ms-documentdb-isquery", "True")));
    assertEquals(false, QueryDocument.isIn(request("x-ms-documentdb-isquery", "")));
    assertThrows(
        RefusedRequest.class, () -> QueryDocument.read(request(Bytes.utf8("{\"query\":1}"))));
    assertThrows(
        RefusedRequest.class,
        () -> QueryDocument.read(request(Bytes.utf8("{\"query\":\"q\",\"parameters\":[1]}"))));
  }

  @Test
  void endpointsComeFromTheHostHeader() {
    assertEquals("http://my-host:81/", request("Host", "my-host:81").endpoint());
    assertEquals("http://[::1]:81/", request("Host", "[::1]:81").endpoint());
    assertEquals("http://localhost/", request("Host", "a\"b").endpoint());
    assertEquals("http://localhost/", request().endpoint());
  }
}
