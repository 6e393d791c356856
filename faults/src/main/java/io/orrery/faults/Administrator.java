package io.orrery.faults;

import io.orrery.faults.Client.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Makes and drops databases and containers, splits and merges partitions, rotates a key, and knows
 * what must be left of it after a power cut.
 */
final class Administrator {
  private static final String PARTITIONS = "_orrery/databases/d/containers/main/partitions";
  private static final String ROTATED = "secondary";
  private static final int PARTITIONS_MOST = 5;
  private static final int RESOURCES_MOST = 40;
  private static final Pattern PARTITION =
      Pattern.compile("\"id\":\"(\\d+)\"[^}]*\"minInclusive\":\"([0-9A-F]*)\"");

  private final Path keyFile;
  private final NavigableMap<String, Boolean> resources = new TreeMap<>();
  private int made;

  /** The resource that was being made or deleted when the answer did not come. */
  private @Nullable String lost;

  /** The keys that were acknowledged; empty before the first start. */
  private List<String> keys = List.of();

  private boolean isRotating;

  Administrator(Path keyFile) {
    this.keyFile = keyFile;
  }

  /** Makes what the other clients need; to be called while nothing is cut. */
  void prepare(Client client) throws IOException {
    keys = Files.readAllLines(keyFile);
    make(client, "dbs/d", "{\"id\":\"d\"}");
    make(
        client,
        ItemWriter.CONTAINER,
        "{\"id\":\"main\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}");
  }

  boolean isPrepared() {
    return resources.containsKey(ItemWriter.CONTAINER);
  }

  void work(Client client, RandomGenerator random, BooleanSupplier ended) {
    try {
      while (!ended.getAsBoolean()) {
        step(client, random);
      }
    } catch (IOException gone) {
      // What was under way is noted.
    }
  }

  private void step(Client client, RandomGenerator random) throws IOException {
    String name = "t" + ++made;
    switch (random.nextInt(8)) {
      case 0 -> make(client, "dbs/" + name, "{\"id\":\"" + name + "\"}");
      case 1, 2 -> {
        String owner = any(random, 2);
        if (owner != null && resources.size() < RESOURCES_MOST) {
          String body =
              "{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/pk\"],\"version\":2}}"
                  .formatted(name);
          make(client, owner + "/colls/" + name, body);
        }
      }
      case 3 -> {
        String owner = any(random, 4);
        if (owner != null) {
          make(
              client,
              owner + "/docs/" + name,
              "{\"id\":\"%s\",\"pk\":\"p\"}".formatted(name),
              "x-ms-documentdb-partitionkey",
              "[\"p\"]");
        }
      }
      case 4 -> delete(client, any(random, 4));
      case 5 -> delete(client, any(random, 2));
      case 6 -> reshape(client);
      default -> rotate(client);
    }
  }

  /** A resource that is there, by the number of segments in its path; not those of the writers. */
  private @Nullable String any(RandomGenerator random, int segments) {
    List<String> found =
        resources.entrySet().stream()
            .filter(entry -> entry.getValue() && entry.getKey().split("/", -1).length == segments)
            .map(java.util.Map.Entry::getKey)
            .filter(path -> !path.equals("dbs/d") && !path.equals(ItemWriter.CONTAINER))
            .toList();
    return found.isEmpty() ? null : found.get(random.nextInt(found.size()));
  }

  private void make(Client client, String path, String body, String... headers) throws IOException {
    lost = path;
    settle(client.send("POST", path.substring(0, path.lastIndexOf('/')), body, headers), path);
    resources.put(path, true);
    lost = null;
  }

  private void delete(Client client, @Nullable String path) throws IOException {
    if (path == null) {
      return;
    }
    lost = path;
    settle(client.send("DELETE", path, ""), path);
    gone(path);
    lost = null;
  }

  private static void settle(Answer answer, String path) throws IOException {
    if (answer.status() >= 500) {
      throw new IOException("unknown outcome");
    }
    if (!answer.isDone()) {
      throw new Finding(path + ": " + answer.status() + " " + answer.body());
    }
  }

  private void gone(String path) {
    resources.put(path, false);
    resources.replaceAll((each, there) -> there && !each.startsWith(path + "/"));
  }

  /** Splits while there are few partitions, else merges; refusals are as good. */
  private static void reshape(Client client) throws IOException {
    var ids = new TreeMap<String, String>();
    PARTITION
        .matcher(client.send("GET", PARTITIONS, "").body())
        .results()
        .forEach(found -> ids.put(found.group(2), found.group(1)));
    if (ids.isEmpty()) {
      throw new Finding("no partitions are shown");
    }
    var inOrder = new ArrayList<>(ids.values());
    if (inOrder.size() < PARTITIONS_MOST) {
      client.send("POST", PARTITIONS + "/" + inOrder.getLast() + "/split", "{}");
    } else {
      String pair = "{\"ids\":[\"%s\",\"%s\"]}".formatted(inOrder.get(0), inOrder.get(1));
      client.send("POST", PARTITIONS + "/merge", pair);
    }
  }

  private void rotate(Client client) throws IOException {
    isRotating = true;
    settle(client.send("POST", "_orrery/keys/" + ROTATED + "/rotate", ""), ROTATED);
    keys = Files.readAllLines(keyFile);
    isRotating = false;
  }

  /** Compares the catalog and the keys after a restart, and decides what was unknown. */
  void check(Client client, int port) throws IOException {
    for (String path : List.copyOf(resources.keySet())) {
      checkResource(client, path);
    }
    String unknown = lost;
    if (unknown != null && !resources.containsKey(unknown)) {
      resources.put(unknown, isThere(client, unknown));
    }
    lost = null;
    resources.values().removeIf(there -> !there);
    checkKeys(port);
  }

  private void checkResource(Client client, String path) throws IOException {
    boolean expected = resources.getOrDefault(path, false);
    boolean found = isThere(client, path);
    if (found == expected) {
      return;
    }
    if (!path.equals(lost)) {
      throw new Finding(path + (expected ? " was made and is lost" : " was deleted and is back"));
    }
    gone(path);
  }

  private static boolean isThere(Client client, String path) throws IOException {
    Answer answer =
        path.contains("/docs/")
            ? client.send("GET", path, "", "x-ms-documentdb-partitionkey", "[\"p\"]")
            : client.send("GET", path, "");
    if (answer.status() != 200 && answer.status() != 404) {
      throw new Finding(path + ": " + answer.status() + " " + answer.body());
    }
    return answer.status() == 200;
  }

  private void checkKeys(int port) throws IOException {
    List<String> found = Files.readAllLines(keyFile);
    boolean right =
        found.equals(keys) || (isRotating && withoutRotated(found).equals(withoutRotated(keys)));
    if (!right) {
      throw new Finding("keys were %s and are %s".formatted(keys, found));
    }
    keys = found;
    isRotating = false;
    String start = ROTATED + ": ";
    String key =
        found.stream()
            .filter(line -> line.startsWith(start))
            .map(line -> line.substring(start.length()))
            .findFirst()
            .orElseThrow(() -> new Finding("no secondary key in " + found));
    try (var other = new Client(port, key)) {
      int status = other.send("GET", "", "").status();
      if (status != 200) {
        throw new Finding("the key of the file gets " + status);
      }
    }
  }

  private static List<String> withoutRotated(List<String> lines) {
    return lines.stream().filter(line -> !line.startsWith(ROTATED + ": ")).toList();
  }
}
