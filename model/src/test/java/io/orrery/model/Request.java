package io.orrery.model;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a client asks of one key. */
sealed interface Request {
  String key();

  /** The name of its kind, for the matrix of kinds that met. */
  default String kind() {
    return getClass().getSimpleName();
  }

  /** A request that concerns one item. */
  sealed interface One extends Request {
    Name name();

    @Override
    default String key() {
      return name().key();
    }
  }

  record Create(Name name, Content content) implements One {}

  record Upsert(Name name, Content content, Condition condition) implements One {}

  /**
   * Puts an item in the place of another, perhaps under another id.
   *
   * @param id which the item has afterwards
   */
  record Replace(Name name, String id, Content content, Condition condition) implements One {
    Name renamed() {
      return new Name(name.key(), id);
    }

    @Override
    public String kind() {
      return id.equals(name.id()) ? "Replace" : "Rename";
    }
  }

  /**
   * Changes a part of an item.
   *
   * @param above the patch is done only if the item's number is above it; null without a condition
   */
  record Patch(Name name, Edit edit, @Nullable Integer above, Condition condition) implements One {
    @Override
    public String kind() {
      return above == null ? "Patch" : "PatchIf";
    }
  }

  record Delete(Name name, Condition condition) implements One {}

  record Read(Name name, Condition condition) implements One {}

  /**
   * Puts what the content has over what the item has; refused where the number becomes too large.
   *
   * @param content without a unique value and a time to live: an item keeps those that it has
   */
  record Merge(Name name, Content content, Condition condition) implements One {
    /** The largest number that an item may have after a merge. */
    static final int NUMBER_MAX = 4;
  }

  /** Reads or deletes an item by its number in the container. */
  record ByNumber(String key, long document, boolean deletes) implements Request {}

  record DeleteKey(String key) implements Request {}

  record Batch(String key, List<Request> steps) implements Request {
    public Batch {
      steps = List.copyOf(steps);
    }
  }

  /**
   * A stored procedure that writes, reads all that it has touched, and then ends or throws. It
   * throws, too, where a unique key was in the way: what that rests on may change before a commit.
   */
  record Script(String key, List<One> writes, boolean fails) implements Request {
    public Script {
      writes = List.copyOf(writes);
    }

    /** The ids of all items that it touches, each once. */
    List<String> touched() {
      return writes.stream()
          .flatMap(
              write ->
                  write instanceof Replace replace
                      ? Stream.of(replace.name().id(), replace.id())
                      : Stream.of(write.name().id()))
          .distinct()
          .toList();
    }
  }

  /**
   * An operation with triggers. The one before it adds one to the number and notes it in an item of
   * its own; the one after it notes the number too, and throws where it is too large.
   */
  record Triggered(One operation, boolean before, boolean after) implements One {
    /** The largest number with which the trigger after the operation does not throw. */
    static final int NUMBER_MAX = 4;

    static Name beforeNote(String key) {
      return new Name(key, "before");
    }

    static Name afterNote(String key) {
      return new Name(key, "after");
    }

    /** What the triggers note; the unique values are theirs alone. */
    static Content note(int n, boolean before) {
      return new Content(n, "note", null, before ? 50 : 51, null, List.of(), 0);
    }

    @Override
    public Name name() {
      return operation.name();
    }
  }

  /** A change to a part of an item. */
  sealed interface Edit {
    /** Null when the database refuses what comes of it. */
    @Nullable Content of(Content content);

    record Add(int more) implements Edit {
      @Override
      public Content of(Content content) {
        return content.plus(more);
      }
    }

    record Tag(String tag) implements Edit {
      @Override
      public Content of(Content content) {
        return content.tagged(tag);
      }
    }

    record Append(int element) implements Edit {
      @Override
      public Content of(Content content) {
        return content.with(element);
      }
    }

    /**
     * Nests arrays by two steps, each of which is less deep than the database takes.
     *
     * @param depth more than {@link #FIRST}
     */
    record Nest(int depth) implements Edit {
      static final int FIRST = 100;

      @Override
      public @Nullable Content of(Content content) {
        return content.nested(depth);
      }
    }
  }
}
