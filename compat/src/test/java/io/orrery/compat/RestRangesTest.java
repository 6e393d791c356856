package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The partition key ranges of a container, and that items live in the range of their key. */
class RestRangesTest {
  private static final String RANGE = "x-ms-documentdb-partitionkeyrangeid";
  private static final Map<String, JsonNode> VECTORS = vectors();
  private static final String V1 = "{\"paths\":[\"/k0\"],\"kind\":\"Hash\"}";
  private static final String V2 = "{\"paths\":[\"/k0\"],\"kind\":\"Hash\",\"version\":2}";

  private static String multiHash(int paths) {
    var names = new ArrayList<String>();
    for (int i = 0; i < paths; i++) {
      names.add("\"/k" + i + "\"");
    }
    return "{\"paths\":[" + String.join(",", names) + "],\"kind\":\"MultiHash\",\"version\":2}";
  }

  private static RestContainer container(String partitionKey, int throughput) {
    String definition = "{\"id\":\"coll\",\"partitionKey\":" + partitionKey + "}";
    return RestContainer.create(Rest.over("http"), definition, throughput);
  }

  @ParameterizedTest
  @EnumSource(Deployment.class)
  void rangesCoverTheHashSpace(Deployment deployment) {
    for (String partitionKey : List.of(V1, V2, multiHash(3))) {
      RestContainer container = RestContainer.create(deployment, partitionKey);
      String end = "";
      var ids = new ArrayList<String>();
      for (JsonNode range : container.ranges()) {
        assertEquals(end, range.get("minInclusive").asText());
        end = range.get("maxExclusive").asText();
        assertEquals("online", range.get("status").asText());
        assertEquals(0, range.get("parents").size());
        assertEquals(1.0 / deployment.ranges(), range.get("throughputFraction").asDouble(), 1e-9);
        ids.add(range.get("id").asText());
      }
      assertEquals("FF", end);
      assertEquals(deployment.ranges(), new HashSet<>(ids).size());
      ids.forEach(id -> assertTrue(id.matches("\\d+"), id));
    }
  }

  @ParameterizedTest
  @CsvSource({"400, 1", "10000, 1", "10100, 2", "20000, 2", "20100, 3", "100000, 10"})
  void everyTenThousandUnitsMakeARange(int throughput, int ranges) {
    int count = 0;
    for (JsonNode _ : container(V2, throughput).ranges()) {
      count++;
    }
    assertEquals(ranges, count);
  }

  @Test
  void itemsLiveInTheRangeOfTheirHashV1() {
    assertEquals(5, follow(container(V1, 50_000), "hashV1", 1).size(), "every range is met");
  }

  @Test
  void itemsLiveInTheRangeOfTheirHashV2() {
    assertEquals(5, follow(container(V2, 50_000), "hashV2", 1).size(), "every range is met");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void itemsLiveInTheRangeOfTheirHierarchicalHash(int paths) {
    follow(container(multiHash(paths), 50_000), "multiHash", paths);
  }

  /** Writes and reads items of all keys of a length; the answers must name the right ranges. */
  private static Set<String> follow(RestContainer container, String hash, int paths) {
    var met = new HashSet<String>();
    for (String header : VECTORS.keySet()) {
      if (vector(header).get("pk").size() != paths) {
        continue;
      }
      String range = follow(container, header);
      // There is no negative zero in stored items.
      String hashed = header.equals("[-0.0]") ? "[0.0]" : header;
      assertEquals(container.rangeOf(vector(hashed).get(hash).asText()), range, header);
      met.add(range);
    }
    return met;
  }

  private static String follow(RestContainer container, String header) {
    JsonNode key = vector(header).get("pk");
    ObjectNode item = Items.parse("{\"id\":\"item\"}");
    for (int i = 0; i < key.size(); i++) {
      if (!key.get(i).isObject()) {
        item.set("k" + i, key.get(i));
      }
    }
    RestAnswer written =
        container
            .rest()
            .post(container.docs(), item.toString())
            .key(Items.ascii(header))
            .header("x-ms-documentdb-is-upsert", "true")
            .send();
    assertTrue(written.status() < 300, () -> header + ": " + written.text());
    RestAnswer read =
        container.rest().get(container.doc("item")).key(Items.ascii(header)).send().expect(200);
    String range = read.header(RANGE);
    assertEquals(written.header(RANGE), range, header);
    return range;
  }

  private static JsonNode vector(String header) {
    return Objects.requireNonNull(VECTORS.get(header));
  }

  private static Map<String, JsonNode> vectors() {
    try (var in = RestRangesTest.class.getResourceAsStream("/epk-vectors.json")) {
      var vectors = new LinkedHashMap<String, JsonNode>();
      for (JsonNode vector :
          new ObjectMapper().readTree(Objects.requireNonNull(in)).get("vectors")) {
        vectors.put(vector.get("javaHeader").asText(), vector);
      }
      return vectors;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
