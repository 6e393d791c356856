package io.orrery.routing.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Body;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.PartitionKeyDefinition.Hashing;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ContainerDefinitionTest {
  private static final String DEFAULTS =
      "'conflictResolutionPolicy':{'mode':'LastWriterWins','conflictResolutionPath':'/_ts',"
          + "'conflictResolutionProcedure':''},'geospatialConfig':{'type':'Geography'}";
  private static final String INDEX_ALL =
      "'indexingPolicy':{'indexingMode':'consistent','automatic':true,"
          + "'includedPaths':[{'path':'/*'}],'excludedPaths':[{'path':'/\\\"_etag\\\"/?'}]}";
  private static final String KEY = "'partitionKey':{'paths':['/pk'],'kind':'Hash'}";

  @Test
  void nodeBodyIsWrittenBackWithTheDefaultsOfTheService() {
    assertWritten(
        "{'id':'c','partitionKey':{'paths':['/pk']}}",
        "{'id':'c'," + INDEX_ALL + "," + KEY + "," + DEFAULTS + "}");
  }

  @Test
  void javaBodyIsWrittenBackWithTheDefaultsOfTheService() {
    assertWritten(
        "{'id':'c','partitionKey':{'kind':'Hash','paths':['/pk'],'version':'V2'},"
            + "'indexingPolicy':{'automatic':true,'indexingMode':'Consistent',"
            + "'includedPaths':[{'path':'/*'}],'excludedPaths':[]},'uniqueKeyPolicy':{},"
            + "'_rid':'x','_self':'y','_etag':'z','_ts':1,'unknown':[1]}",
        "{'id':'c',"
            + INDEX_ALL
            + ",'partitionKey':{'paths':['/pk'],'kind':'Hash','version':2},"
            + DEFAULTS
            + "}");
  }

  @Test
  void everyOptionalMemberIsWrittenBack() {
    String optional =
        "'analyticalStorageTtl':-1,'changeFeedPolicy':{'retentionDuration':10},"
            + "'computedProperties':[{'name':'lower','query':'SELECT VALUE LOWER(c.a) FROM c'}],"
            + "'vectorEmbeddingPolicy':{'vectorEmbeddings':[{'path':'/v','dataType':'float32',"
            + "'dimensions':8,'distanceFunction':'cosine'}]},"
            + "'fullTextPolicy':{'defaultLanguage':'en-US','fullTextPaths':[{'path':'/t',"
            + "'language':'en-US'}]},"
            + "'materializedViewDefinition':{'sourceCollectionId':'s','definition':'select * from"
            + " c'},"
            + "'clientEncryptionPolicy':{'includedPaths':[{'path':'/s','clientEncryptionKeyId':'k',"
            + "'encryptionType':'Randomized','encryptionAlgorithm':'AEAD'}],"
            + "'policyFormatVersion':2}";
    String indexing =
        "'indexingPolicy':{'indexingMode':'consistent','automatic':true,"
            + "'includedPaths':[{'path':'/*'}],"
            + "'excludedPaths':[{'path':'/v/*'},{'path':'/\\\"_etag\\\"/?'}],"
            + "'compositeIndexes':[[{'path':'/a','order':'ascending'},"
            + "{'path':'/b/[]/c','order':'descending'}]],"
            + "'spatialIndexes':[{'path':'/g/*','types':['Point','Polygon']}],"
            + "'vectorIndexes':[{'path':'/v','type':'quantizedFlat','quantizationByteSize':4,"
            + "'indexingSearchListSize':50,'vectorIndexShardKeys':['/x'],'quantizerType':'p'}],"
            + "'fullTextIndexes':[{'path':'/t'}]}";
    String body =
        "{'id':'c',"
            + indexing
            + ",'partitionKey':{'paths':['/_partitionKey'],'kind':'Hash','systemKey':true},"
            + "'defaultTtl':-1,'uniqueKeyPolicy':{'uniqueKeys':[{'paths':['/email','/a/b']}]},"
            + "'conflictResolutionPolicy':{'mode':'Custom','conflictResolutionPath':'',"
            + "'conflictResolutionProcedure':'dbs/d/colls/c/sprocs/s'},"
            + "'geospatialConfig':{'type':'Geography'},"
            + optional
            + "}";
    assertWritten(body, body);
  }

  @Test
  void writtenDefinitionIsReadBackAsItWas() {
    var parsed = parse("{'id':'c','partitionKey':{'paths':['/a/\\\"b c\\\"'],'version':2}}");
    var stored = ContainerDefinition.stored(parsed.json());
    assertEquals(parsed, stored);
    assertEquals(
        new PartitionKeyDefinition(List.of(List.of("a", "b c")), Hashing.HASH_V2), stored.key());
    assertEquals("[{\"path\":\"/*\"}]", indexing(stored, "includedPaths"));
  }

  @Test
  void omittedVersionIsV1AndStaysOmitted() {
    assertEquals(
        Hashing.HASH_V1, parse("{'id':'c','partitionKey':{'paths':['/pk']}}").key().hashing());
  }

  @Test
  void hierarchicalKeyHasUpToThreePaths() {
    var key =
        parse(
                "{'id':'c','partitionKey':{'paths':['/a','/b','/c/d'],'kind':'MultiHash',"
                    + "'version':2}}")
            .key();
    assertEquals(Hashing.MULTI_HASH, key.hashing());
    assertEquals(List.of(List.of("a"), List.of("b"), List.of("c", "d")), key.paths());
  }

  @Test
  void modeNoneIndexesNothing() {
    var definition = parse("{'id':'c'," + KEY + ",'indexingPolicy':{'indexingMode':'none'}}");
    assertEquals("\"none\"", indexing(definition, "indexingMode"));
    assertTrue(definition.body().bytes().utf8().contains("\"automatic\":false"));
  }

  @Test
  void excludedRootNeedsNoIncludedOne() {
    var definition =
        parse(
            "{'id':'c',"
                + KEY
                + ",'indexingPolicy':{'includedPaths':[{'path':'/a/?'}],"
                + "'excludedPaths':[{'path':'/*'}]}}");
    assertEquals("[{\"path\":\"/a/?\"}]", indexing(definition, "includedPaths"));
    assertEquals(
        "[{\"path\":\"/*\"},{\"path\":\"/\\\"_etag\\\"/?\"}]",
        indexing(definition, "excludedPaths"));
  }

  private static String indexing(ContainerDefinition definition, String member) {
    Value value = definition.indexingPolicy().members().getOrDefault(member, Value.NULL);
    return new String(Json.write(value), StandardCharsets.UTF_8);
  }

  @Test
  void containerWithoutKeyIsAllowedOnlyWhereFixedOnesAreOffered() {
    var body = Body.json("{\"id\":\"c\"}");
    assertTrue(ContainerDefinition.parse(body, true).key().isNone());
    assertFalse(
        ContainerDefinition.parse(body, true).body().bytes().utf8().contains("partitionKey"));
    assertThrows(MalformedBody.class, () -> ContainerDefinition.parse(body, false));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/*",
        "/a/?",
        "/a/*",
        "/a/[]/b/?",
        "/\"a-b\"/?",
        "/a/[]/*",
        "/tags/[]/{category, type}/?",
        "/größe/?"
      })
  void indexingPathsAreAccepted(String path) {
    assertEquals(path, IndexPath.pattern(path));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/? | 0",
        "/a | 2",
        "/a-b/? | 2",
        "/a//? | 3",
        "/?|2",
        "/*/a/?|2",
        "/a/?/b|4",
        "/\"a/?|1",
        "/{a/?|4"
      })
  void otherIndexingPathsAreRefusedWithThePlace(String path, int place) {
    var refused = assertThrows(MalformedBody.class, () -> IndexPath.pattern(path));
    assertTrue(
        String.valueOf(refused.getMessage()).contains("near position '" + place + "'"),
        refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "{}",
        "{'id':''}",
        "{'id':5}",
        "{'id':'a/b',KEY}",
        "{'id':'a?b',KEY}",
        "{'id':'a#b',KEY}",
        "{'id':'a\\\\b',KEY}",
        "{'id':'end ',KEY}",
        "{'id':'c','partitionKey':[]}",
        "{'id':'c','partitionKey':{'kind':'Hash'}}",
        "{'id':'c','partitionKey':{'paths':['/']}}",
        "{'id':'c','partitionKey':{'paths':['pk']}}",
        "{'id':'c','partitionKey':{'paths':['/a/*']}}",
        "{'id':'c','partitionKey':{'paths':['/a/']}}",
        "{'id':'c','partitionKey':{'paths':['/a?']}}",
        "{'id':'c','partitionKey':{'paths':['/a/[]']}}",
        "{'id':'c','partitionKey':{'paths':['/a','/b']}}",
        "{'id':'c','partitionKey':{'paths':['/a'],'kind':'Range'}}",
        "{'id':'c','partitionKey':{'paths':['/a'],'version':3}}",
        "{'id':'c','partitionKey':{'paths':['/a','/b'],'kind':'MultiHash','version':1}}",
        "{'id':'c','partitionKey':{'paths':['/a','/a'],'kind':'MultiHash','version':2}}",
        "{'id':'c','partitionKey':{'paths':['/a','/b','/c','/d'],'kind':'MultiHash','version':2}}",
        "{'id':'c',KEY,'defaultTtl':0}",
        "{'id':'c',KEY,'defaultTtl':-2}",
        "{'id':'c',KEY,'defaultTtl':1.5}",
        "{'id':'c',KEY,'defaultTtl':2147483648}",
        "{'id':'c',KEY,'defaultTtl':5,'indexingPolicy':{'indexingMode':'none'}}",
        "{'id':'c',KEY,'analyticalStorageTtl':-7}",
        "{'id':'c',KEY,'indexingPolicy':{'indexingMode':'sometimes'}}",
        "{'id':'c',KEY,'indexingPolicy':{'automatic':'yes'}}",
        "{'id':'c',KEY,'indexingPolicy':{'includedPaths':[{'path':'/a/?'}]}}",
        "{'id':'c',KEY,'indexingPolicy':{'includedPaths':[{'path':'/*'},{'path':'/*'}]}}",
        "{'id':'c',KEY,'indexingPolicy':{'includedPaths':['/*']}}",
        "{'id':'c',KEY,'indexingPolicy':{'compositeIndexes':[[{'path':'/a'}]]}}",
        "{'id':'c',KEY,'indexingPolicy':{'compositeIndexes':[[{'path':'/a/?'},{'path':'/b'}]]}}",
        "{'id':'c',KEY,'indexingPolicy':{'compositeIndexes':[[{'path':'/a'},{'path':'/a'}]]}}",
        "{'id':'c',KEY,'indexingPolicy':{'compositeIndexes':"
            + "[[{'path':'/a','order':'up'},{'path':'/b'}]]}}",
        "{'id':'c',KEY,'indexingPolicy':{'spatialIndexes':[{'path':'/a/*','types':['Blob']}]}}",
        "{'id':'c',KEY,'indexingPolicy':{'vectorIndexes':[{'path':'/v','type':'flat'}]}}",
        "{'id':'c',KEY,'indexingPolicy':{'fullTextIndexes':[{'path':'/t'}]}}",
        "{'id':'c',KEY,'uniqueKeyPolicy':{'uniqueKeys':[{'paths':[]}]}}",
        "{'id':'c',KEY,'uniqueKeyPolicy':{'uniqueKeys':[{'paths':['/a/*']}]}}",
        "{'id':'c',KEY,'uniqueKeyPolicy':{'uniqueKeys':[{'paths':['/a','/a']}]}}",
        "{'id':'c',KEY,'conflictResolutionPolicy':{'mode':'Never'}}",
        "{'id':'c',KEY,'conflictResolutionPolicy':{'mode':'Custom',"
            + "'conflictResolutionPath':'/_ts'}}",
        "{'id':'c',KEY,'geospatialConfig':{'type':'Flat'}}",
        "{'id':'c',KEY,'computedProperties':[{'name':'id','query':'SELECT VALUE 1'}]}",
        "{'id':'c',KEY,'computedProperties':[{'name':'a'}]}",
        "{'id':'c',KEY,'computedProperties':[{'name':'a','query':'SELEKT'}]}",
        "{'id':'c',KEY,'geospatialConfig':{'type':'Geometry'}}",
        "{'id':'c',KEY,'changeFeedPolicy':{'retentionDuration':-1}}",
        "{'id':'c',KEY,'vectorEmbeddingPolicy':{'vectorEmbeddings':[{'path':'/v',"
            + "'dimensions':0}]}}",
        "{'id':'c',KEY,'fullTextPolicy':{'fullTextPaths':[{'path':'/*'}]}}",
        "{'id':'c',KEY,'clientEncryptionPolicy':{'includedPaths':[{'path':'/a'}]}}"
      })
  void brokenDefinitionsAreRefused(String body) {
    assertThrows(MalformedBody.class, () -> parse(body.replace("KEY", KEY)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT VALUE udf.f(c.a) FROM c",
        "SELECT VALUE c.a FROM c WHERE c.b = 1",
        "SELECT VALUE x FROM c JOIN x IN c.a",
        "SELECT VALUE (SELECT VALUE c.a) FROM c",
        "SELECT VALUE COUNT(1) FROM c",
        "SELECT VALUE RAND() FROM c",
        "SELECT VALUE CONCAT(c.a, GetCurrentDateTime()) FROM c",
        "SELECT VALUE x FROM x IN c.a",
        "SELECT c.a FROM c"
      })
  void computedPropertiesAreOneExpressionOfTheItem(String query) {
    String property = "{'name':'a','query':'" + query + "'}";
    assertThrows(
        MalformedBody.class,
        () -> parse("{'id':'c'," + KEY + ",'computedProperties':[" + property + "]}"));
  }

  @Test
  void longIdIsRefused() {
    assertThrows(MalformedBody.class, () -> parse("{'id':'" + "x".repeat(256) + "'," + KEY + "}"));
    assertEquals(255, parse("{'id':'" + "x".repeat(255) + "'," + KEY + "}").id().length());
  }

  @Test
  void limitsOnNumbersOfKeysAndPathsHold() {
    assertThrows(MalformedBody.class, () -> parse(uniqueKeys(11, "{'paths':['/a%d']}")));
    assertEquals("c", parse(uniqueKeys(10, "{'paths':['/a%d']}")).id());
    String paths = "{'paths':[" + repeat(17, "'/p%d'") + "]}";
    assertThrows(MalformedBody.class, () -> parse(uniqueKeys(1, paths)));
    assertThrows(
        MalformedBody.class,
        () ->
            parse(
                "{'id':'c',"
                    + KEY
                    + ",'computedProperties':["
                    + repeat(21, "{'name':'n%d','query':'SELECT VALUE c.a FROM c'}")
                    + "]}"));
  }

  private static String uniqueKeys(int count, String key) {
    return "{'id':'c'," + KEY + ",'uniqueKeyPolicy':{'uniqueKeys':[" + repeat(count, key) + "]}}";
  }

  private static String repeat(int count, String pattern) {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : ",").append(pattern.replace("%d", Integer.toString(i)));
    }
    return text.toString();
  }

  private static void assertWritten(String given, String expected) {
    assertEquals(expected.replace('\'', '"'), parse(given).body().bytes().utf8());
  }

  private static ContainerDefinition parse(String body) {
    return ContainerDefinition.parse(Body.json(body.replace('\'', '"')), false);
  }
}
