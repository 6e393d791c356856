package io.orrery.faults;

import io.orrery.faults.Client.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A client that writes items of its own and knows what each of them must be: as acknowledged, or
 * what the one request without an answer would have made of it.
 */
final class ItemWriter {
  static final String CONTAINER = "dbs/d/colls/main";
  private static final int KEYS = 5;
  private static final int ITEMS_PER_KEY = 4;
  private static final String KEY_HEADER = "x-ms-documentdb-partitionkey";
  private static final int LONGEST_FILLING = 6_000;

  /** What a machine that is busy with other things may answer. */
  private static final Set<Integer> BUSY = Set.of(408, 429);

  /** No two writes are alike. */
  private static final AtomicInteger VALUES = new AtomicInteger();

  private final int number;
  private final Positions positions;
  private final AtomicLong acknowledged;
  private final Map<String, Version> items = new TreeMap<>();
  private String session = "";

  /** What the request would have made of its items whose answer did not come; empty for none. */
  private Map<String, Optional<Version>> lost = Map.of();

  /**
   * What an item is.
   *
   * @param etag null where the answer does not name it
   */
  private record Version(int value, int filling, @Nullable String etag) {
    String body(String id) {
      return "{\"id\":\"%s\",\"pk\":\"%s\",\"n\":%d,\"filling\":\"%s\",\"again\":%d}"
          .formatted(id, keyOf(id), value, "x".repeat(filling), value);
    }

    Version tagged(String by) {
      return new Version(value, filling, by);
    }
  }

  ItemWriter(int number, Positions positions, AtomicLong acknowledged) {
    this.number = number;
    this.positions = positions;
    this.acknowledged = acknowledged;
  }

  private static String keyOf(String id) {
    return id.substring(0, id.lastIndexOf('-'));
  }

  private String id(int key, int item) {
    return number + "-" + key + "-" + item;
  }

  /** Writes until told to end, or until an answer does not come. */
  void write(Client client, RandomGenerator random, BooleanSupplier ended) {
    while (!ended.getAsBoolean() && lost.isEmpty()) {
      int key = random.nextInt(KEYS);
      if (random.nextInt(4) == 0) {
        writeBatch(client, key, random);
      } else {
        writeOne(client, id(key, random.nextInt(ITEMS_PER_KEY)), random);
      }
    }
  }

  private static Version fresh(RandomGenerator random) {
    return new Version(VALUES.incrementAndGet(), random.nextInt(LONGEST_FILLING), null);
  }

  private void writeOne(Client client, String id, RandomGenerator random) {
    boolean present = items.containsKey(id);
    boolean delete = present && random.nextInt(4) == 0;
    Version next = fresh(random);
    lost = Map.of(id, delete ? Optional.empty() : Optional.of(next));
    String verb = delete ? "DELETE" : present ? "PUT" : "POST";
    String path = CONTAINER + "/docs" + (present ? "/" + id : "");
    Answer answer = ask(client, verb, path, delete ? "" : next.body(id), keyOf(id));
    if (answer != null) {
      if (!delete) {
        lost = Map.of(id, Optional.of(next.tagged(answer.header("etag"))));
      }
      settle(answer);
    }
  }

  /** All items of a key together: most become the same, some are deleted. */
  private void writeBatch(Client client, int key, RandomGenerator random) {
    var next = new TreeMap<String, Optional<Version>>();
    var operations = new ArrayList<String>();
    for (int i = 0; i < ITEMS_PER_KEY; i++) {
      String id = id(key, i);
      if (items.containsKey(id) && random.nextInt(4) == 0) {
        next.put(id, Optional.empty());
        operations.add("{\"operationType\":\"Delete\",\"id\":\"%s\"}".formatted(id));
      } else {
        Version version = fresh(random);
        next.put(id, Optional.of(version));
        operations.add(
            "{\"operationType\":\"Upsert\",\"resourceBody\":%s}".formatted(version.body(id)));
      }
    }
    lost = next;
    Answer answer =
        ask(
            client,
            "POST",
            CONTAINER + "/docs",
            "[" + String.join(",", operations) + "]",
            number + "-" + key,
            "x-ms-cosmos-is-batch-request",
            "True",
            "x-ms-cosmos-batch-atomic",
            "True");
    if (answer != null) {
      settle(answer);
    }
  }

  /** Null when the outcome is unknown. */
  private static @Nullable Answer ask(
      Client client, String verb, String path, String body, String key, String... more) {
    var headers = new ArrayList<>(List.of(more));
    headers.addAll(List.of(KEY_HEADER, "[\"" + key + "\"]"));
    try {
      Answer answer = client.send(verb, path, body, headers.toArray(String[]::new));
      if (BUSY.contains(answer.status()) || answer.status() >= 500) {
        return null;
      }
      if (!answer.isDone() || answer.status() == 207) {
        throw new Finding(verb + " " + path + ": " + answer.status() + " " + answer.body());
      }
      return answer;
    } catch (IOException gone) {
      return null;
    }
  }

  private void settle(Answer answer) {
    apply();
    session = answer.header("x-ms-session-token");
    positions.acknowledged(answer);
    acknowledged.incrementAndGet();
  }

  private void apply() {
    lost.forEach(
        (id, next) ->
            next.ifPresentOrElse(version -> items.put(id, version), () -> items.remove(id)));
    lost = Map.of();
  }

  /** Reads all its items after a restart, in its session, and decides what was unknown. */
  void check(Client client) throws IOException {
    var before = new ArrayList<String>();
    var after = new ArrayList<String>();
    for (int key = 0; key < KEYS; key++) {
      for (int i = 0; i < ITEMS_PER_KEY; i++) {
        String id = id(key, i);
        Answer answer = read(client, id);
        Optional<Version> old = Optional.ofNullable(items.get(id));
        before.addAll(wrong(id, old, answer));
        after.addAll(wrong(id, lost.getOrDefault(id, old), answer));
      }
    }
    if (before.isEmpty()) {
      lost = Map.of();
    } else if (!lost.isEmpty() && after.isEmpty()) {
      apply();
    } else {
      throw new Finding(
          "writer %d, unknown %s:%n%s".formatted(number, lost.keySet(), String.join("\n", before)));
    }
  }

  private Answer read(Client client, String id) throws IOException {
    var headers = new ArrayList<>(List.of(KEY_HEADER, "[\"" + keyOf(id) + "\"]"));
    if (!session.isEmpty()) {
      headers.addAll(List.of("x-ms-session-token", session));
    }
    return client.send("GET", CONTAINER + "/docs/" + id, "", headers.toArray(String[]::new));
  }

  private static List<String> wrong(String id, Optional<Version> expected, Answer answer) {
    boolean right =
        expected
            .map(version -> isVersion(id, version, answer))
            .orElse(answer.status() == 404 && answer.header("x-ms-substatus").matches("0?"));
    return right
        ? List.of()
        : List.of(
            "%s should be %s, but is %d/%s %s"
                .formatted(
                    id,
                    expected.map(Version::toString).orElse("absent"),
                    answer.status(),
                    answer.header("x-ms-substatus"),
                    answer.body().replaceAll("x{10,}", "x..x")));
  }

  private static boolean isVersion(String id, Version version, Answer answer) {
    String body = version.body(id);
    return answer.status() == 200
        && answer.body().startsWith(body.substring(0, body.length() - 1) + ",")
        && (version.etag() == null || version.etag().equals(answer.header("etag")));
  }

  /** The items that are there, once all is decided. */
  List<String> present() {
    return List.copyOf(items.keySet());
  }
}
