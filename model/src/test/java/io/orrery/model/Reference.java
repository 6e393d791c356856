package io.orrery.model;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The database as a map. Items whose time is over stay until something removes them: they are there
 * again when their container has no time to live any more.
 */
final class Reference {
  private static final long NONE = 0;

  private final boolean uniqueKeys;
  private final Map<Name, Version> items;
  private final Set<Long> swept;
  private final List<Changed> log = new ArrayList<>();
  private @Nullable Integer timeToLive;

  /** Numbers of items that never come to be. */
  private long undone;

  Reference(boolean uniqueKeys) {
    this(uniqueKeys, new HashMap<>(), new HashSet<>());
  }

  private Reference(boolean uniqueKeys, Map<Name, Version> items, Set<Long> swept) {
    this.uniqueKeys = uniqueKeys;
    this.items = items;
    this.swept = swept;
  }

  Reference copy() {
    var copy = new Reference(uniqueKeys, new HashMap<>(items), new HashSet<>(swept));
    copy.timeToLive = timeToLive;
    return copy;
  }

  /** Changes how long items live; null for ever. */
  void timeToLive(@Nullable Integer seconds) {
    timeToLive = seconds;
  }

  /** What was changed since this was asked last, in order. */
  List<Changed> takeLog() {
    var taken = List.copyOf(log);
    log.clear();
    return taken;
  }

  /** Whether the item went with its key, and the history may tell only now. */
  boolean takeSwept(long document) {
    return swept.remove(document);
  }

  boolean hasSwept() {
    return !swept.isEmpty();
  }

  boolean isExpired(Version version, long seconds) {
    Integer own = timeToLive == null ? null : version.content().ttl();
    Integer lives = own == null ? timeToLive : own;
    return lives != null
        && lives >= 0
        && version.stamp().ticks() / Clock.TICKS_PER_SECOND + lives <= seconds;
  }

  /** What clients see of a key, or of all where it is null, in order of document numbers. */
  List<Version> visible(@Nullable String key, long seconds) {
    return items.values().stream()
        .filter(version -> key == null || version.name().key().equals(key))
        .filter(version -> !isExpired(version, seconds))
        .sorted(Comparator.comparingLong(Version::document))
        .toList();
  }

  boolean holdsAnything(String key) {
    return items.keySet().stream().anyMatch(name -> name.key().equals(key));
  }

  @Nullable Version stored(Name name) {
    return items.get(name);
  }

  /** Removes an item whose time is over, as upkeep does. */
  void expire(Version version) {
    items.remove(version.name());
    log.add(new Changed(Changed.Kind.EXPIRE, null, version));
  }

  /**
   * Does what was asked.
   *
   * @param actual the answer that was given, from which new items take their numbers and stamps
   */
  Result apply(Request request, Result actual, long seconds) {
    return switch (request) {
      case Request.Create(Name name, Content content) ->
          find(name, seconds) == null
              ? write(null, name, content, actual, seconds)
              : Result.Refused.CONFLICT;
      case Request.Upsert(Name name, Content content, Condition condition) -> {
        Version present = find(name, seconds);
        if (present == null) {
          yield condition.wantsPresence()
              ? Result.Refused.PRECONDITION
              : write(null, name, content, actual, seconds);
        }
        yield condition.holds(present)
            ? write(present, name, content, actual, seconds)
            : Result.Refused.PRECONDITION;
      }
      case Request.Replace replace -> replace(replace, actual, seconds);
      case Request.Patch patch -> patch(patch, actual, seconds);
      case Request.Delete(Name name, Condition condition) -> delete(name, condition, seconds);
      case Request.Read(Name name, Condition condition) -> condition.read(find(name, seconds));
      case Request.DeleteKey(String key) -> deleteKey(key);
      case Request.Batch batch -> batch(batch, actual, seconds);
    };
  }

  private @Nullable Version find(Name name, long seconds) {
    if (name.id().equals(Generator.UNREADABLE)) {
      throw new AssertionError("answered without reading " + name);
    }
    Version version = items.get(name);
    return version == null || isExpired(version, seconds) ? null : version;
  }

  private Result replace(Request.Replace request, Result actual, long seconds) {
    Version present = find(request.name(), seconds);
    if (present == null) {
      return Result.Refused.NOT_FOUND;
    }
    if (!request.condition().holds(present)) {
      return Result.Refused.PRECONDITION;
    }
    Name renamed = request.renamed();
    return !renamed.equals(request.name()) && find(renamed, seconds) != null
        ? Result.Refused.CONFLICT
        : write(present, renamed, request.content(), actual, seconds);
  }

  private Result patch(Request.Patch request, Result actual, long seconds) {
    Version present = find(request.name(), seconds);
    if (present == null) {
      return Result.Refused.NOT_FOUND;
    }
    if (!request.condition().holds(present)) {
      return Result.Refused.PRECONDITION;
    }
    Integer above = request.above();
    if (above != null && present.content().n() <= above) {
      return Result.Refused.CONDITION;
    }
    Content edited = request.edit().of(present.content());
    return edited == null
        ? Result.Refused.BAD_REQUEST
        : write(present, request.name(), edited, actual, seconds);
  }

  private Result delete(Name name, Condition condition, long seconds) {
    Version present = find(name, seconds);
    if (present == null) {
      return Result.Refused.NOT_FOUND;
    }
    if (!condition.holds(present)) {
      return Result.Refused.PRECONDITION;
    }
    items.remove(name);
    log.add(new Changed(Changed.Kind.DELETE, null, present));
    return Result.Plain.DELETED;
  }

  private Result deleteKey(String key) {
    items
        .values()
        .removeIf(version -> version.name().key().equals(key) && swept.add(version.document()));
    return Result.Plain.KEY_DELETED;
  }

  private Result batch(Request.Batch batch, Result actual, long seconds) {
    var before = new HashMap<>(items);
    int logged = log.size();
    List<Result> given = actual instanceof Result.Steps(List<Result> steps) ? steps : List.of();
    var results = new ArrayList<Result>();
    for (int i = 0; i < batch.steps().size(); i++) {
      Result of = i < given.size() ? given.get(i) : Result.Refused.UNAVAILABLE;
      Result result = apply(batch.steps().get(i), of, seconds);
      results.add(result);
      if (result instanceof Result.Refused) {
        items.clear();
        items.putAll(before);
        log.subList(logged, log.size()).clear();
        return new Result.Steps(failed(i, result, batch.steps().size()));
      }
    }
    return new Result.Steps(results);
  }

  private static List<Result> failed(int at, Result refusal, int steps) {
    var results = new ArrayList<Result>();
    for (int i = 0; i < steps; i++) {
      results.add(i == at ? refusal : Result.Refused.DEPENDENCY);
    }
    return results;
  }

  private Result write(
      @Nullable Version previous, Name name, Content content, Result actual, long seconds) {
    long own = previous == null ? NONE : previous.document();
    boolean taken =
        uniqueKeys
            && visible(name.key(), seconds).stream()
                .anyMatch(other -> other.document() != own && sameUnique(other, content));
    if (taken) {
      return Result.Refused.UNIQUE_KEY;
    }
    removeExpired(own, name, content, seconds);
    Version given = actual instanceof Result.Written(boolean created, Version v) ? v : null;
    // Where the answer names no version the step is undone later, or the answer is wrong.
    var stamp =
        given == null ? new Version.Stamp(-1, 0, seconds * Clock.TICKS_PER_SECOND) : given.stamp();
    long document = previous != null ? own : given == null ? --undone : given.document();
    var next = new Version(name, document, content, stamp);
    if (previous != null) {
      items.remove(previous.name());
    }
    items.put(name, next);
    var kind = previous == null ? Changed.Kind.CREATE : Changed.Kind.REPLACE;
    log.add(new Changed(kind, next, previous));
    return new Result.Written(previous == null, next);
  }

  /** What is in the way of an item goes with its write: what has its id, then its unique value. */
  private void removeExpired(long own, Name name, Content content, long seconds) {
    removeExpired(own, items.get(name), seconds);
    if (uniqueKeys) {
      for (Version other : List.copyOf(items.values())) {
        if (other.name().key().equals(name.key()) && sameUnique(other, content)) {
          removeExpired(own, other, seconds);
        }
      }
    }
  }

  private void removeExpired(long own, @Nullable Version version, long seconds) {
    if (version != null && version.document() != own && isExpired(version, seconds)) {
      expire(version);
    }
  }

  private static boolean sameUnique(Version other, Content content) {
    return Objects.equals(other.content().unique(), content.unique());
  }
}
