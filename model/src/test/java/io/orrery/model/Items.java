package io.orrery.model;

import io.orrery.operation.Body;
import io.orrery.operation.Change;
import io.orrery.operation.Etag;
import io.orrery.operation.KeyComponent;
import io.orrery.operation.Precondition;
import io.orrery.operation.StoredItem;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Translates items and conditions between the database's words and those of the model. */
final class Items {
  private Items() {}

  static Version version(StoredItem item) {
    Value.Obj body = parsed(item.body());
    return new Version(
        name(body),
        item.counter(),
        content(body),
        new Version.Stamp(item.lsn(), item.position(), item.commitTicks()));
  }

  static Content content(Body body) {
    return content(parsed(body));
  }

  private static Value.Obj parsed(Body body) {
    return (Value.Obj) Json.parse(body.bytes().array());
  }

  static Name name(Value.Obj item) {
    return new Name(text(item, "pk"), text(item, "id"));
  }

  static Content content(Value.Obj item) {
    var list = new ArrayList<Integer>();
    ((Value.Arr) member(item, "list")).items().forEach(element -> list.add(number(element)));
    return new Content(
        number(item, "n"),
        text(item, "tag"),
        optional(item.members().get("rank")),
        optional(item.members().get("u")),
        optional(item.members().get("ttl")),
        list,
        depth(item.members().get("deep")));
  }

  static Changed changed(Change change) {
    var current = change.current();
    var previous = change.previous();
    return new Changed(
        Changed.Kind.valueOf(change.kind().name()),
        current == null ? null : version(current),
        previous == null ? null : version(previous));
  }

  /** Adds a change to the transaction that made it. */
  static void log(Change change, Map<Long, Logged> history) {
    history
        .computeIfAbsent(change.lsn(), lsn -> new Logged(change.ticks(), new ArrayList<>()))
        .changes()
        .add(changed(change));
  }

  static String keyOf(Change change) {
    return change.key().components().getFirst() instanceof KeyComponent.Text(String text)
        ? text
        : "";
  }

  /** A row of a query as the model compares it. */
  static Object row(Value row) {
    return switch (row) {
      case Value.Int64(long number) -> (int) number;
      case Value.Text(String text) -> text;
      case Value.Obj item when item.members().containsKey("e") ->
          new Spread.Row(new Name(text(item, "k"), text(item, "i")), text(item, "e"));
      case Value.Obj group when group.members().containsKey("t") ->
          new Spread.Group(text(group, "t"), number(group, "n"), 0);
      case Value.Obj group ->
          new Spread.Group(text(group, "k"), number(group, "n"), number(group, "s"));
      default -> throw new IllegalStateException("Unexpected row " + row);
    };
  }

  static Etag etag(Version.Stamp stamp) {
    return Etag.of(stamp.lsn(), stamp.position(), stamp.ticks());
  }

  static Precondition precondition(Condition condition) {
    return switch (condition) {
      case Condition.Any any ->
          switch (any) {
            case ANY -> Precondition.NONE;
            case EXISTS -> new Precondition.Exists();
            case ABSENT -> new Precondition.Absent();
          };
      case Condition.Matches(Version.Stamp stamp) -> new Precondition.EtagMatches(etag(stamp));
      case Condition.Differs(Version.Stamp stamp) -> new Precondition.EtagDiffers(etag(stamp));
    };
  }

  private static Value member(Value.Obj item, String name) {
    return Objects.requireNonNull(item.members().get(name), name);
  }

  private static int depth(@Nullable Value value) {
    int depth = 0;
    Value inner = value;
    while (inner instanceof Value.Arr(var items)) {
      depth++;
      inner = items.isEmpty() ? null : items.getFirst();
    }
    return depth;
  }

  private static @Nullable Integer optional(@Nullable Value value) {
    return value == null ? null : number(value);
  }

  static int number(Value.Obj item, String name) {
    return number(member(item, name));
  }

  static int number(Value value) {
    return (int) ((Value.Int64) value).value();
  }

  static String text(Value.Obj item, String name) {
    return text(member(item, name));
  }

  static String text(Value value) {
    return ((Value.Text) value).value();
  }
}
