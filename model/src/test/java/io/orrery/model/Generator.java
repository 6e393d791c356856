package io.orrery.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Makes requests of every kind for few items, so that they meet. */
final class Generator {
  private static final List<String> TAGS = List.of("a", "b", "bb", "c");
  private static final List<Look> LOOKS = List.of(Look.values());
  private static final List<Look> PARTITION_LOOKS =
      LOOKS.stream().filter(Look::isOfPartition).toList();
  private static final int IDS = 4;

  /** The id of an item whose entries the storage of some tests fails to read. */
  static final String UNREADABLE = "unreadable";

  private static final int VERSIONS_KEPT = 12;

  private final Random random;
  private final List<String> keys;
  private final boolean uniqueKeys;
  private final List<Version> seen = new ArrayList<>();

  Generator(Random random, List<String> keys, boolean uniqueKeys) {
    this.random = random;
    this.keys = keys;
    this.uniqueKeys = uniqueKeys;
  }

  /** Remembers versions that were seen, for conditions and numbers. */
  void saw(Version version) {
    if (seen.size() < VERSIONS_KEPT) {
      seen.add(version);
    } else {
      seen.set(random.nextInt(VERSIONS_KEPT), version);
    }
  }

  String key() {
    return keys.get(random.nextInt(keys.size()));
  }

  @Nullable String keyOrAll() {
    return random.nextBoolean() ? null : key();
  }

  /** A query that a partition answers by itself. */
  Look look() {
    return PARTITION_LOOKS.get(random.nextInt(PARTITION_LOOKS.size()));
  }

  Look anyLook() {
    return LOOKS.get(random.nextInt(LOOKS.size()));
  }

  /** A request, alone or at the end of a batch, for the item that cannot be read. */
  Request unreadable() {
    String key = key();
    var name = new Name(key, UNREADABLE);
    Request one =
        switch (random.nextInt(4)) {
          case 0 -> new Request.Upsert(name, content(), Condition.Any.ANY);
          case 1 -> new Request.Replace(name(key), name.id(), content(), Condition.Any.ANY);
          case 2 -> new Request.Patch(name, edit(), null, Condition.Any.ANY);
          default -> new Request.Create(name, content());
        };
    if (random.nextBoolean()) {
      return one;
    }
    var steps = new ArrayList<>(batch(key).steps());
    steps.add(one);
    return new Request.Batch(key, steps);
  }

  Request request() {
    return switch (random.nextInt(40)) {
      case 0 -> new Request.DeleteKey(key());
      case 1, 2, 3, 4, 5 -> batch(key());
      case 6, 7 -> byNumber();
      default -> one(key());
    };
  }

  /** A request that a transaction may do, too. */
  Request one(String key) {
    Name name = name(key);
    return switch (random.nextInt(13)) {
      case 12 -> new Request.Merge(name, content().bare(), condition(key));
      case 0, 1, 2 -> new Request.Create(name, content());
      case 3, 4 -> new Request.Upsert(name, content(), condition(key));
      case 5 -> new Request.Replace(name, name.id(), content(), condition(key));
      case 6 -> new Request.Replace(name, name(key).id(), content(), condition(key));
      case 7 -> new Request.Patch(name, edit(), null, condition(key));
      case 8 -> new Request.Patch(name, edit(), random.nextInt(5), condition(key));
      case 9, 10 -> new Request.Delete(name, condition(key));
      default -> new Request.Read(name, condition(key));
    };
  }

  private Request byNumber() {
    if (seen.isEmpty()) {
      return one(key());
    }
    Version version = seen.get(random.nextInt(seen.size()));
    return new Request.ByNumber(version.name().key(), version.document(), random.nextInt(4) == 0);
  }

  Request.Read read(String key) {
    return new Request.Read(name(key), condition(key));
  }

  /** A stored procedure; what scripts can require of a version is its etag. */
  Request.Script script(String key) {
    var writes = new ArrayList<Request.One>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Name name = name(key);
      Condition condition = condition(key) instanceof Condition.Matches m ? m : Condition.Any.ANY;
      writes.add(
          switch (random.nextInt(5)) {
            case 0, 1 -> new Request.Create(name, content());
            case 2 -> new Request.Upsert(name, content(), condition);
            case 3 -> new Request.Replace(name, name(key).id(), content(), condition);
            default -> new Request.Delete(name, condition);
          });
    }
    return new Request.Script(key, writes, random.nextInt(3) == 0);
  }

  Request.Triggered triggered(String key) {
    Name name = name(key);
    Request.One operation =
        switch (random.nextInt(3)) {
          case 0 -> new Request.Create(name, content());
          case 1 -> new Request.Upsert(name, content(), condition(key));
          default -> new Request.Replace(name, name.id(), content(), condition(key));
        };
    boolean before = random.nextBoolean();
    return new Request.Triggered(operation, before, !before || random.nextBoolean());
  }

  private Request.Batch batch(String key) {
    var steps = new ArrayList<Request>();
    if (random.nextInt(4) == 0) {
      // Many items meet this condition: what the batch reads has to be repeated at its commit.
      steps.add(new Request.Patch(name(key), edit(), -1, Condition.Any.ANY));
      steps.add(new Request.Read(name(key), Condition.Any.ANY));
    }
    int size = 1 + random.nextInt(4);
    for (int i = 0; i < size; i++) {
      steps.add(one(key));
    }
    return new Request.Batch(key, steps);
  }

  Request delete() {
    return new Request.Delete(name(key()), Condition.Any.ANY);
  }

  Request create(String key) {
    return new Request.Create(name(key), content());
  }

  private Name name(String key) {
    return new Name(key, Integer.toString(random.nextInt(IDS)));
  }

  private Content content() {
    var list = new ArrayList<Integer>();
    for (int i = random.nextInt(3); i > 0; i--) {
      list.add(random.nextInt(3));
    }
    Integer ttl =
        switch (random.nextInt(6)) {
          case 0 -> 1 + random.nextInt(4);
          case 1 -> -1;
          default -> null;
        };
    return new Content(
        random.nextInt(6),
        TAGS.get(random.nextInt(TAGS.size())),
        random.nextInt(4) == 0 ? null : random.nextInt(4),
        uniqueKeys ? random.nextInt(5) : null,
        ttl,
        list,
        0);
  }

  private Request.Edit edit() {
    return switch (random.nextInt(37)) {
      case 0 -> new Request.Edit.Nest(Request.Edit.Nest.FIRST + 1 + random.nextInt(50));
      case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 -> new Request.Edit.Add(random.nextInt(3) - 1);
      case 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24 ->
          new Request.Edit.Tag(TAGS.get(random.nextInt(TAGS.size())));
      default -> new Request.Edit.Append(random.nextInt(3));
    };
  }

  /** Versions of other keys are no use: one that is still to come may have the same etag. */
  private Condition condition(String key) {
    List<Version> own = seen.stream().filter(version -> version.name().key().equals(key)).toList();
    int kind = random.nextInt(12);
    if (kind > 3 || own.isEmpty()) {
      return Condition.Any.ANY;
    }
    Version.Stamp stamp = own.get(random.nextInt(own.size())).stamp();
    return switch (kind) {
      case 0 -> Condition.Any.EXISTS;
      case 1 -> Condition.Any.ABSENT;
      case 2 -> new Condition.Matches(stamp);
      default -> new Condition.Differs(stamp);
    };
  }
}
