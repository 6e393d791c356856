package io.orrery.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The database as a map. Items that have expired stay until something removes them: they are there
 * again when their container has no time to live any more.
 */
final class Reference {
  private static final long NONE = 0;

  private final boolean uniqueKeys;
  private final Map<Name, Version> items;
  private final Set<Long> swept;
  private final List<Changed> log = new ArrayList<>();

  /** The versions that are written next, where the history tells them. */
  private final Deque<Version> following = new ArrayDeque<>();

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
    copy.following.addAll(following);
    return copy;
  }

  /** Says which versions the next request writes. */
  void follow(List<Changed> changes) {
    following.clear();
    for (Changed change : changes) {
      Version current = change.current();
      if (current != null) {
        following.add(current);
      }
    }
  }

  /** What was changed since it was taken last, in order. */
  List<Changed> log() {
    return List.copyOf(log);
  }

  /** The same, for the last time. */
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

  /** What clients see of a key, or of all where it is null, in order of document numbers. */
  List<Version> visible(@Nullable String key, Moment moment) {
    return items.values().stream()
        .filter(version -> key == null || version.name().key().equals(key))
        .filter(version -> !moment.isExpired(version))
        .sorted(Comparator.comparingLong(Version::document))
        .toList();
  }

  boolean holdsAnything(String key) {
    return items.keySet().stream().anyMatch(name -> name.key().equals(key));
  }

  /** All items, those that have expired included. */
  Collection<Version> stored() {
    return items.values();
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
   *     where the history does not tell them
   */
  Result apply(Request request, Result actual, Moment moment) {
    return switch (request) {
      case Request.Create(Name name, Content content) ->
          find(name, moment) == null
              ? write(null, name, content, actual, moment)
              : Result.Refused.CONFLICT;
      case Request.Upsert(Name name, Content content, Condition condition) -> {
        Version present = find(name, moment);
        if (present == null) {
          yield condition.wantsPresence()
              ? Result.Refused.PRECONDITION
              : write(null, name, content, actual, moment);
        }
        yield condition.holds(present)
            ? write(present, name, content, actual, moment)
            : Result.Refused.PRECONDITION;
      }
      case Request.Replace replace -> replace(replace, actual, moment);
      case Request.Patch patch -> patch(patch, actual, moment);
      case Request.Delete(Name name, Condition condition) -> delete(name, condition, moment);
      case Request.Read(Name name, Condition condition) -> condition.read(find(name, moment));
      case Request.Merge merge -> merge(merge, actual, moment);
      case Request.ByNumber number -> byNumber(number, moment);
      case Request.DeleteKey(String key) -> deleteKey(key);
      case Request.Batch batch -> batch(batch, actual, moment);
      case Request.Script script -> script(script, moment);
      case Request.Triggered triggered -> triggered(triggered, actual, moment);
    };
  }

  private @Nullable Version find(Name name, Moment moment) {
    if (name.id().equals(Generator.UNREADABLE)) {
      throw new AssertionError("answered without reading " + name);
    }
    Version version = items.get(name);
    return version == null || moment.isExpired(version) ? null : version;
  }

  private Result replace(Request.Replace request, Result actual, Moment moment) {
    Version present = find(request.name(), moment);
    if (present == null) {
      return Result.Refused.NOT_FOUND;
    }
    if (!request.condition().holds(present)) {
      return Result.Refused.PRECONDITION;
    }
    Name renamed = request.renamed();
    return !renamed.equals(request.name()) && find(renamed, moment) != null
        ? Result.Refused.CONFLICT
        : write(present, renamed, request.content(), actual, moment);
  }

  private Result patch(Request.Patch request, Result actual, Moment moment) {
    Version present = find(request.name(), moment);
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
        : write(present, request.name(), edited, actual, moment);
  }

  private Result delete(Name name, Condition condition, Moment moment) {
    Version present = find(name, moment);
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

  private Result byNumber(Request.ByNumber request, Moment moment) {
    Version present =
        visible(request.key(), moment).stream()
            .filter(version -> version.document() == request.document())
            .findAny()
            .orElse(null);
    return present == null || !request.deletes()
        ? Condition.Any.ANY.read(present)
        : delete(present.name(), Condition.Any.ANY, moment);
  }

  private Result deleteKey(String key) {
    items
        .values()
        .removeIf(version -> version.name().key().equals(key) && swept.add(version.document()));
    return Result.Plain.KEY_DELETED;
  }

  private Result merge(Request.Merge request, Result actual, Moment moment) {
    Version present = find(request.name(), moment);
    if (present == null) {
      return request.condition().wantsPresence()
          ? Result.Refused.NOT_FOUND
          : write(null, request.name(), request.content(), actual, moment);
    }
    if (!request.condition().holds(present)) {
      return Result.Refused.PRECONDITION;
    }
    Content merged = request.content().over(present.content());
    return merged.n() > Request.Merge.NUMBER_MAX
        ? Result.Refused.BAD_REQUEST
        : write(present, request.name(), merged, actual, moment);
  }

  /** Undoes what is done from here on. */
  private Runnable savepoint() {
    var before = new HashMap<>(items);
    int logged = log.size();
    return () -> {
      items.clear();
      items.putAll(before);
      log.subList(logged, log.size()).clear();
    };
  }

  private Result batch(Request.Batch batch, Result actual, Moment moment) {
    Runnable undo = savepoint();
    List<Result> given = actual instanceof Result.Steps(List<Result> steps) ? steps : List.of();
    var results = new ArrayList<Result>();
    for (int i = 0; i < batch.steps().size(); i++) {
      Result of = i < given.size() ? given.get(i) : Result.Refused.UNAVAILABLE;
      Result result = apply(batch.steps().get(i), of, moment);
      results.add(result);
      if (result instanceof Result.Refused) {
        undo.run();
        return new Result.Steps(failed(i, result, batch.steps().size()));
      }
    }
    return new Result.Steps(results);
  }

  private Result script(Request.Script script, Moment moment) {
    Runnable undo = savepoint();
    List<Result> writes = script.writes().stream().map(write -> shown(write, moment)).toList();
    var reads = new ArrayList<Result>();
    for (String id : script.touched()) {
      reads.add(shown(new Request.Read(new Name(script.key(), id), Condition.Any.ANY), moment));
    }
    boolean fails = script.fails() || writes.contains(Result.Refused.UNIQUE_KEY);
    if (fails) {
      reads.add(
          new Result.Ids(
              visible(script.key(), moment).stream().map(v -> v.name().id()).sorted().toList()));
      undo.run();
    }
    return new Result.Ran(!fails, writes, reads);
  }

  private Result shown(Request request, Moment moment) {
    return switch (apply(request, Result.Refused.UNAVAILABLE, moment)) {
      case Result.Written(boolean created, Version version) ->
          new Result.Shown(version.name(), version.content());
      case Result.Found(Version version) -> new Result.Shown(version.name(), version.content());
      case Result other -> other;
    };
  }

  private Result triggered(Request.Triggered request, Result actual, Moment moment) {
    Runnable undo = savepoint();
    String key = request.key();
    Request.One operation = request.operation();
    if (request.before()) {
      operation = plusOne(operation);
      note(Request.Triggered.beforeNote(key), numberOf(operation), true, moment);
    }
    Result result = apply(operation, actual, moment);
    if (result instanceof Result.Written(boolean created, Version version) && request.after()) {
      note(Request.Triggered.afterNote(key), version.content().n(), false, moment);
      if (version.content().n() > Request.Triggered.NUMBER_MAX) {
        result = Result.Refused.SCRIPT;
      }
    }
    if (result instanceof Result.Refused) {
      undo.run();
    }
    return result;
  }

  private void note(Name name, int n, boolean before, Moment moment) {
    Content content = Request.Triggered.note(n, before);
    apply(new Request.Upsert(name, content, Condition.Any.ANY), Result.Refused.UNAVAILABLE, moment);
  }

  private static int numberOf(Request.One operation) {
    return switch (operation) {
      case Request.Create create -> create.content().n();
      case Request.Upsert upsert -> upsert.content().n();
      case Request.Replace replace -> replace.content().n();
      default -> throw new IllegalArgumentException("No triggers go with " + operation);
    };
  }

  private static Request.One plusOne(Request.One operation) {
    return switch (operation) {
      case Request.Create(Name name, Content content) -> new Request.Create(name, content.plus(1));
      case Request.Upsert(Name name, Content content, Condition condition) ->
          new Request.Upsert(name, content.plus(1), condition);
      case Request.Replace(Name name, String id, Content content, Condition condition) ->
          new Request.Replace(name, id, content.plus(1), condition);
      default -> throw new IllegalArgumentException("No triggers go with " + operation);
    };
  }

  private static List<Result> failed(int at, Result refusal, int steps) {
    var results = new ArrayList<Result>();
    for (int i = 0; i < steps; i++) {
      results.add(i == at ? refusal : Result.Refused.DEPENDENCY);
    }
    return results;
  }

  private Result write(
      @Nullable Version previous, Name name, Content content, Result actual, Moment moment) {
    long own = previous == null ? NONE : previous.document();
    boolean taken =
        uniqueKeys
            && visible(name.key(), moment).stream()
                .anyMatch(other -> other.document() != own && sameUnique(other, content));
    if (taken) {
      return Result.Refused.UNIQUE_KEY;
    }
    removeExpired(own, name, content, moment);
    Version given = following.poll();
    if (given == null && actual instanceof Result.Written(boolean created, Version v)) {
      given = v;
    }
    // Where nothing names a version the step is undone later, or the answer is wrong.
    var stamp =
        given == null
            ? new Version.Stamp(-1, 0, moment.seconds() * Clock.TICKS_PER_SECOND)
            : given.stamp();
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
  private void removeExpired(long own, Name name, Content content, Moment moment) {
    removeExpired(own, items.get(name), moment);
    if (uniqueKeys) {
      for (Version other : List.copyOf(items.values())) {
        if (other.name().key().equals(name.key()) && sameUnique(other, content)) {
          removeExpired(own, other, moment);
        }
      }
    }
  }

  private void removeExpired(long own, @Nullable Version version, Moment moment) {
    if (version != null && version.document() != own && moment.isExpired(version)) {
      expire(version);
    }
  }

  private static boolean sameUnique(Version other, Content content) {
    return Objects.equals(other.content().unique(), content.unique());
  }
}
