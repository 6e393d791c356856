package io.orrery.routing;

import io.orrery.operation.Body;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceId;
import io.orrery.partition.ItemTask;
import io.orrery.partition.LogicalKey;
import io.orrery.partition.Target;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.value.ItemBody;
import io.orrery.value.MalformedBody;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes tasks for partitions of what clients ask: finds the key, and holds it to the limits. */
final class ItemTasks {
  private static final String KEY_MISSING =
      "PartitionKey value must be supplied for this operation.";
  static final String KEY_DIFFERS =
      "PartitionKey extracted from document doesn't match the one specified in the header";
  // Sic: the doubled article is the service's.
  private static final String KEY_TOO_SHORT =
      "The partition key supplied in x-ms-partitionkey header has fewer components than defined in"
          + " the the collection.";
  private static final String KEY_TOO_LONG =
      "The partition key supplied in x-ms-partitionkey header has more components than defined in"
          + " the the collection.";

  private final Limits limits;

  ItemTasks(Limits limits) {
    this.limits = limits;
  }

  /**
   * The task of an operation on an item of the container.
   *
   * @throws Refused when it breaks a rule
   * @throws io.orrery.value.MalformedBody when a body does
   */
  ItemTask of(Operation.ItemOperation operation, ContainerEntry container) {
    PartitionKey given = operation.scope().key();
    return switch (operation) {
      case Operation.ReadItem(var scope, var item, var precondition) ->
          new ItemTask.Read(required(given, container), target(item, container), precondition);
      case Operation.CreateItem(var scope, var body) -> {
        ItemBody item = newItem(body, container);
        yield new ItemTask.Create(keyOf(item, given, container), item);
      }
      case Operation.UpsertItem(var scope, var body, var precondition) -> {
        ItemBody item = newItem(body, container);
        yield new ItemTask.Upsert(keyOf(item, given, container), item, precondition);
      }
      case Operation.ReplaceItem(var scope, var ref, var body, var precondition) -> {
        ItemBody item = item(body, container);
        Target target = target(ref, container);
        // An id that stays may be longer than the limits of today allow.
        if (!target.equals(new Target.Id(item.id()))) {
          refuseLong(item.id());
        }
        yield new ItemTask.Replace(keyOf(item, given, container), target, item, precondition);
      }
      case Operation.PatchItem(var scope, var item, var patch, var precondition) ->
          new ItemTask.PatchOne(
              required(given, container), target(item, container), patch, precondition);
      case Operation.MergeItem(var scope, var body, var precondition, var rule) -> {
        ItemBody item = newItem(body, container);
        yield new ItemTask.Merge(keyOf(item, given, container), item, precondition, rule);
      }
      case Operation.DeleteItem(var scope, var item, var precondition) ->
          new ItemTask.Delete(required(given, container), target(item, container), precondition);
      case Operation.DeleteLogicalPartition(var scope) ->
          new ItemTask.DeleteAll(required(given, container));
      case Operation.ExecuteBatch(var scope, var steps) -> {
        LogicalKey key = required(given, container);
        yield new ItemTask.Batch(
            key, steps.stream().map(step -> step(step, key, container)).toList());
      }
    };
  }

  /** A step that cannot be done makes the batch fail in its place, not as a whole. */
  private ItemTask step(Operation.ItemOperation step, LogicalKey key, ContainerEntry container) {
    try {
      ItemTask task = of(step, container);
      return task.key().equals(key)
          ? task
          : new ItemTask.Refused(key, new Refusal.PartitionKeyMismatch(KEY_DIFFERS));
    } catch (Refused e) {
      return new ItemTask.Refused(key, e.refusal());
    } catch (MalformedBody e) {
      return new ItemTask.Refused(key, new Refusal.BadRequest(String.valueOf(e.getMessage())));
    }
  }

  /** The logical partition that a key given for one names. */
  LogicalKey whole(PartitionKey given, PartitionKeyDefinition definition) {
    PartitionKey key = fitted(given, definition);
    if (key.components().size() < definition.paths().size()) {
      throw new Refused(new Refusal.PartitionKeyMismatch(KEY_TOO_SHORT));
    }
    return LogicalKey.of(key, definition);
  }

  /** A key that may name fewer components than the container has. */
  PartitionKey fitted(PartitionKey given, PartitionKeyDefinition definition) {
    if (definition.isNone()) {
      return PartitionKey.EMPTY;
    }
    int paths = definition.paths().size();
    int size = given.components().size();
    if (size == 0) {
      // How clients name the items that have no key, in containers that came to one later.
      return new PartitionKey(
          Collections.<KeyComponent>nCopies(paths, KeyComponent.Undefined.UNDEFINED));
    }
    if (size > paths) {
      throw new Refused(new Refusal.PartitionKeyMismatch(KEY_TOO_LONG));
    }
    refuseLong(given);
    return given;
  }

  /** The logical partition that a request must name. */
  LogicalKey required(@Nullable PartitionKey given, ContainerEntry container) {
    PartitionKeyDefinition definition = container.key();
    if (definition.isNone()) {
      return LogicalKey.of(PartitionKey.EMPTY, definition);
    }
    if (given == null) {
      throw new Refused(new Refusal.BadRequest(KEY_MISSING));
    }
    return whole(given, definition);
  }

  /** The logical partition that the headers of a request name; null when they name none. */
  @Nullable LogicalKey named(ItemScope scope, ContainerEntry container) {
    PartitionKey given = scope.key();
    return given == null && !container.key().isNone() ? null : required(given, container);
  }

  private LogicalKey keyOf(ItemBody item, @Nullable PartitionKey given, ContainerEntry container) {
    LogicalKey own = whole(item.key(), container.key());
    if (given != null && !container.key().isNone()) {
      LogicalKey said = whole(given, container.key());
      if (!said.key().equals(own.key())) {
        throw new Refused(new Refusal.PartitionKeyMismatch(KEY_DIFFERS));
      }
    }
    return own;
  }

  private void refuseLong(PartitionKey key) {
    int bytes = 0;
    List<KeyComponent> components = key.components();
    for (int i = 0; i < components.size(); i++) {
      if (components.get(i) instanceof KeyComponent.Text(String text)) {
        bytes += utf8Bytes(text);
      }
    }
    if (bytes > limits.partitionKeyBytes()) {
      throw new Refused(
          new Refusal.BadRequest(
              "The partition key is longer than " + limits.partitionKeyBytes() + " bytes"));
    }
  }

  /** The size in UTF-8, without making the bytes. */
  private static int utf8Bytes(String text) {
    int bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (unit >= 0x80) {
        // A surrogate is half of four bytes.
        bytes += unit < 0x800 || Character.isSurrogate(unit) ? 1 : 2;
      }
    }
    return bytes;
  }

  private ItemBody newItem(Body body, ContainerEntry container) {
    ItemBody item = item(body, container);
    refuseLong(item.id());
    return item;
  }

  private void refuseLong(String id) {
    if (id.length() > limits.idCharacters() || utf8Bytes(id) > limits.idBytes()) {
      throw new Refused(
          new Refusal.BadRequest(
              "An id has at most "
                  + limits.idCharacters()
                  + " characters and "
                  + limits.idBytes()
                  + " bytes"));
    }
  }

  private ItemBody item(Body body, ContainerEntry container) {
    ItemBody item = ItemBody.of(body, container.key());
    int size = item.body().bytes().size();
    if (size > limits.itemBytes()) {
      throw new Refused(new Refusal.TooLarge(size, limits.itemBytes()));
    }
    return item;
  }

  private static Target target(ItemRef ref, ContainerEntry container) {
    return switch (ref) {
      case ItemRef.ById(String id) -> new Target.Id(id);
      case ItemRef.ByRid(String rid) -> {
        long counter = ResourceId.counterOf(container.rid(), rid);
        // A path of names can look like one of rids; then the last one is an id after all.
        yield counter < 0 ? new Target.Id(rid) : new Target.Counter(counter);
      }
    };
  }
}
