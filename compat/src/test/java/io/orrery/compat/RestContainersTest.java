package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Container definitions over REST: what is filled in, what is kept and what is refused. */
class RestContainersTest {
  private final Rest rest = Rest.over("http");

  private String colls() {
    String database = SharedServer.freshName("rest");
    rest.post("/dbs", "{\"id\":\"" + database + "\"}").send().expect(201);
    return "/dbs/" + database + "/colls";
  }

  @Test
  void smallestDefinitionComesBackWhole() {
    JsonNode made =
        rest.post(colls(), "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}")
            .send()
            .expect(201)
            .json();
    JsonNode expected =
        Items.parse(
            """
            {"id":"c",
             "indexingPolicy":{"indexingMode":"consistent","automatic":true,
               "includedPaths":[{"path":"/*"}],"excludedPaths":[{"path":"/\\"_etag\\"/?"}]},
             "partitionKey":{"paths":["/pk"],"kind":"Hash"},
             "conflictResolutionPolicy":{"mode":"LastWriterWins","conflictResolutionPath":"/_ts",
               "conflictResolutionProcedure":""},
             "geospatialConfig":{"type":"Geography"},
             "_docs":"docs/","_sprocs":"sprocs/","_triggers":"triggers/","_udfs":"udfs/",
             "_conflicts":"conflicts/"}
            """);
    ObjectNode own = made.deepCopy();
    own.remove(Items.SYSTEM);
    assertEquals(expected, own);
  }

  @ParameterizedTest
  @CsvSource({
    "LastWriterWins, '', '', /_ts",
    "LastWriterWins, /version, '', /version",
    "Custom, '', dbs/d/colls/c/sprocs/merge, ''",
    "Custom, '', '', ''"
  })
  void howConflictsAreResolvedIsKept(String mode, String path, String procedure, String shown) {
    String colls = colls();
    String definition =
        """
        {"id":"c","partitionKey":{"paths":["/pk"]},"conflictResolutionPolicy":{"mode":"%s",
          "conflictResolutionPath":"%s","conflictResolutionProcedure":"%s"}}
        """
            .formatted(mode, path, procedure);
    rest.post(colls, definition).send().expect(201);
    JsonNode policy =
        rest.get(colls + "/c").send().expect(200).json().get("conflictResolutionPolicy");
    assertEquals(mode, policy.get("mode").asText());
    assertEquals(shown, policy.get("conflictResolutionPath").asText());
    assertEquals(procedure, policy.get("conflictResolutionProcedure").asText());
    // One region never has a conflict to resolve.
    JsonNode conflicts = rest.get(colls + "/c/conflicts").send().expect(200).json();
    assertEquals(0, conflicts.get("_count").asInt());
  }

  @Test
  void everyOptionalMemberIsKept() {
    String definition =
        """
        {"id":"c","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash","version":2},
         "defaultTtl":60,"analyticalStorageTtl":-1,
         "uniqueKeyPolicy":{"uniqueKeys":[{"paths":["/email"]}]},
         "geospatialConfig":{"type":"Geography"},
         "changeFeedPolicy":{"retentionDuration":10},
         "computedProperties":[{"name":"low","query":"SELECT VALUE LOWER(c.name) FROM c"}],
         "vectorEmbeddingPolicy":{"vectorEmbeddings":[{"path":"/v","dataType":"float32",
           "dimensions":3,"distanceFunction":"cosine"}]},
         "fullTextPolicy":{"defaultLanguage":"en-US",
           "fullTextPaths":[{"path":"/t","language":"en-US"}]},
         "indexingPolicy":{"indexingMode":"consistent","automatic":true,
           "includedPaths":[{"path":"/*"}],
           "excludedPaths":[{"path":"/v/*"},{"path":"/\\"_etag\\"/?"}],
           "compositeIndexes":[[{"path":"/a","order":"ascending"},
             {"path":"/b","order":"descending"}]],
           "spatialIndexes":[{"path":"/l/*","types":["Point","Polygon"]}],
           "vectorIndexes":[{"path":"/v","type":"flat"}],
           "fullTextIndexes":[{"path":"/t"}]}}
        """;
    String colls = colls();
    rest.post(colls, definition).send().expect(201);
    JsonNode kept = rest.get(colls + "/c").send().expect(200).json();
    ObjectNode sent = Items.parse(definition);
    sent.fieldNames().forEachRemaining(name -> assertEquals(sent.get(name), kept.get(name), name));
  }

  @Test
  void versionIsTakenInBothSpellings() {
    String colls = colls();
    for (String version : new String[] {"2", "\"V2\""}) {
      String id = "c" + version.length();
      JsonNode made =
          rest.post(
                  colls,
                  "{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":%s}}"
                      .formatted(id, version))
              .send()
              .expect(201)
              .json();
      assertEquals(2, made.get("partitionKey").get("version").asInt());
    }
    JsonNode first =
        rest.post(colls, "{\"id\":\"first\",\"partitionKey\":{\"paths\":[\"/pk\"]}}").send().json();
    assertFalse(first.get("partitionKey").has("version"), "none given is version 1, and not told");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{}",
        "{\"id\":5}",
        "{\"id\":\"\"}",
        "{\"id\":\"a/b\"}",
        "{\"id\":\"a?b\"}",
        "{\"id\":\"a#b\"}",
        "{\"id\":\"a\\\\b\"}",
        "{\"id\":\"c\",\"partitionKey\":\"pk\"}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"pk\"]}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/a\",\"/b\",\"/c\",\"/d\"],\"kind\":\"MultiHash\",\"version\":2}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":3}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"],\"kind\":\"Sometimes\"}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":0}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"defaultTtl\":\"soon\"}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"indexingPolicy\":{\"indexingMode\":\"never\"}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"indexingPolicy\":{\"includedPaths\":[{\"path\":\"x\"}]}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"uniqueKeyPolicy\":{\"uniqueKeys\":[{\"paths\":[]}]}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"conflictResolutionPolicy\":{\"mode\":\"Dice\"}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"conflictResolutionPolicy\":{\"mode\":\"Custom\",\"conflictResolutionPath\":\"/_ts\"}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"conflictResolutionPolicy\":{\"mode\":\"LastWriterWins\",\"conflictResolutionProcedure\":\"dbs/d/colls/c/sprocs/s\"}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"conflictResolutionPolicy\":{\"mode\":\"LastWriterWins\",\"conflictResolutionPath\":\"version\"}}",
        "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]},\"conflictResolutionPolicy\":{\"mode\":\"LastWriterWins\",\"conflictResolutionPath\":5}}"
      })
  void definitionsThatMakeNoSenseAreRefused(String definition) {
    rest.post(colls(), definition).send().refused(400, 0);
  }

  @Test
  void databaseDefinitionsThatMakeNoSenseAreRefused() {
    for (String definition :
        new String[] {
          "", "{}", "[]", "{\"id\":\"\"}", "{\"id\":\"a/b\"}", "{\"id\":1}", "{\"id\":"
        }) {
      rest.post("/dbs", definition).send().refused(400, 0);
    }
  }
}
