package io.orrery.model;

import java.util.List;
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

  record DeleteKey(String key) implements Request {}

  record Batch(String key, List<Request> steps) implements Request {
    public Batch {
      steps = List.copyOf(steps);
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

    /** Puts so many arrays in the place of those from a depth on. */
    record Deepen(int from, int more) implements Edit {
      @Override
      public @Nullable Content of(Content content) {
        return content.deeper(from, more);
      }
    }
  }
}
