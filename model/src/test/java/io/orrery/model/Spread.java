package io.orrery.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A query that may have seen several states of its keys, as one over several ranges or pages does.
 * What matched throughout must be in its rows, and what never matched must not; numbers lie between
 * the bounds that follow from that. Where nothing was written meanwhile, these are exact.
 */
final class Spread {
  /** A row that is an item. */
  record Row(Name name, String etag) {
    static Row of(Version version) {
      return new Row(version.name(), Items.etag(version.stamp()).text());
    }
  }

  /** A row of groups or of distinct values. */
  record Group(String name, int count, int sum) {}

  private final Look look;
  private final List<?> rows;
  private final boolean exactGroups;
  private final Map<String, Seen> seen = new HashMap<>();

  /**
   * @param rows as {@link Row}, {@link Group} or numbers
   * @param exactGroups whether the items of a key are read from one state
   */
  Spread(Look look, List<?> rows, boolean exactGroups) {
    this.look = look;
    this.rows = List.copyOf(rows);
    this.exactGroups = exactGroups;
  }

  /** An item as far as it decides the place of its row. */
  private record Steady(long document, Object aspect) {}

  /** What matched in one key. */
  private static final class Seen {
    final Set<Version> ever = new HashSet<>();
    final Set<Group> groups = new HashSet<>();
    @Nullable Set<Steady> throughout;
  }

  /** Shows a state that it may have seen of a key. */
  void see(String key, List<Version> visible) {
    Seen of = seen.computeIfAbsent(key, k -> new Seen());
    List<Version> matching = look.items(visible);
    of.ever.addAll(matching);
    Set<Steady> steady = new HashSet<>();
    matching.forEach(v -> steady.add(new Steady(v.document(), look.aspect(v.content()))));
    if (of.throughout == null) {
      of.throughout = steady;
    } else {
      of.throughout.retainAll(steady);
    }
    int sum = matching.stream().mapToInt(version -> version.content().n()).sum();
    of.groups.add(new Group(key, matching.size(), sum));
  }

  private Stream<Version> ever() {
    return seen.values().stream().flatMap(of -> of.ever.stream());
  }

  private Stream<Steady> throughout() {
    return seen.values().stream()
        .flatMap(of -> of.throughout == null ? Stream.of() : of.throughout.stream());
  }

  @Override
  public String toString() {
    return look
        + " gave "
        + rows
        + ", ever "
        + ever().toList()
        + ", throughout "
        + throughout().toList();
  }

  /** Compares the rows with all that was seen. */
  void check() {
    switch (look) {
      case COUNT -> number(version -> 1);
      case SUM -> number(version -> version.content().n());
      case GREATEST -> greatest();
      case GROUPED -> groups();
      case BY_KEY -> keys();
      case DISTINCT -> distinct(version -> version.content().tag());
      case DISTINCT_ORDERED -> distinct(version -> version.content().n());
      default -> items();
    }
  }

  private void items() {
    Map<Row, Version> ever = new HashMap<>();
    ever().forEach(version -> ever.put(Row.of(version), version));
    Set<Steady> missing = new HashSet<>(throughout().toList());
    Set<Row> given = new HashSet<>();
    Version last = null;
    for (Object each : rows) {
      Row row = (Row) each;
      Version version = ever.get(row);
      assertTrue(version != null, () -> "a row that never was: " + row + " in " + this);
      assertTrue(given.add(row), () -> "a row came twice: " + row + " in " + this);
      missing.remove(new Steady(version.document(), look.aspect(version.content())));
      boolean ordered = last == null || look.order().compare(last, version) <= 0;
      assertTrue(ordered, () -> "rows are not in order: " + this);
      last = version;
    }
    if (look.limit() == Integer.MAX_VALUE) {
      assertEquals(Set.of(), missing, () -> "rows are missing: " + this);
      return;
    }
    long least = Math.min(look.limit(), throughout().count() - Look.OFFSET);
    long most = Math.min(look.limit(), Math.max(0, documents(version -> true) - Look.OFFSET));
    between(least, rows.size(), most);
  }

  private long documents(Predicate<Version> which) {
    return ever().filter(which).map(Version::document).distinct().count();
  }

  private void between(long least, long actual, long most) {
    assertTrue(
        least <= actual && actual <= most,
        () -> actual + " is not from " + least + " to " + most + ": " + this);
  }

  private void number(ToIntFunction<Version> value) {
    Map<Long, List<Integer>> values = new HashMap<>();
    ever()
        .forEach(
            version ->
                values
                    .computeIfAbsent(version.document(), document -> new ArrayList<>())
                    .add(value.applyAsInt(version)));
    Set<Long> steady = new HashSet<>(throughout().map(Steady::document).toList());
    long least = 0;
    long most = 0;
    for (var item : values.entrySet()) {
      boolean always = steady.contains(item.getKey());
      int low = item.getValue().stream().mapToInt(n -> n).min().orElse(0);
      int high = item.getValue().stream().mapToInt(n -> n).max().orElse(0);
      least += always ? low : Math.min(0, low);
      most += always ? high : Math.max(0, high);
    }
    between(least, (Integer) rows.getFirst(), most);
    assertEquals(1, rows.size(), this::toString);
  }

  private void greatest() {
    Set<Long> steady = new HashSet<>(throughout().map(Steady::document).toList());
    Map<Long, Integer> low = new HashMap<>();
    ever()
        .filter(version -> steady.contains(version.document()))
        .forEach(version -> low.merge(version.document(), version.content().n(), Math::min));
    if (rows.isEmpty()) {
      assertEquals(Map.of(), low, this::toString);
      return;
    }
    Object greatest = rows.getFirst();
    assertTrue(ever().anyMatch(version -> greatest.equals(version.content().n())), this::toString);
    assertTrue(low.values().stream().allMatch(n -> n <= (Integer) greatest), this::toString);
  }

  private void groups() {
    Map<String, Integer> counts = new TreeMap<>();
    for (Object each : rows) {
      Group group = (Group) each;
      assertEquals(null, counts.put(group.name(), group.count()), this::toString);
      assertTrue(group.count() > 0, this::toString);
    }
    Set<String> tags = new HashSet<>(counts.keySet());
    ever().forEach(version -> tags.add(version.content().tag()));
    for (String tag : tags) {
      between(
          throughout().filter(steady -> steady.aspect().equals(tag)).count(),
          counts.getOrDefault(tag, 0),
          documents(version -> version.content().tag().equals(tag)));
    }
  }

  private void keys() {
    Map<String, Group> given = new HashMap<>();
    for (Object each : rows) {
      Group group = (Group) each;
      assertEquals(null, given.put(group.name(), group), this::toString);
    }
    assertTrue(seen.keySet().containsAll(given.keySet()), this::toString);
    if (exactGroups) {
      seen.forEach(
          (key, of) -> {
            Group group = given.getOrDefault(key, new Group(key, 0, 0));
            assertTrue(
                of.groups.contains(group),
                () -> group + " is none of " + of.groups + " in " + this);
          });
    }
  }

  private void distinct(Function<Version, Object> value) {
    assertEquals(new HashSet<>(rows).size(), rows.size(), this::toString);
    Set<Object> ever = new HashSet<>(ever().map(value).toList());
    assertTrue(ever.containsAll(rows), () -> "a value that never was: " + this);
    Set<Object> missing = new HashSet<>(throughout().map(Steady::aspect).toList());
    rows.forEach(missing::remove);
    assertEquals(Set.of(), missing, () -> "values are missing: " + this);
  }
}
