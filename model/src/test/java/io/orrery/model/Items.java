package io.orrery.model;

import io.orrery.operation.Change;
import io.orrery.operation.Etag;
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
    Map<String, Value> members = ((Value.Obj) Json.parse(item.body().bytes().array())).members();
    var list = new ArrayList<Integer>();
    ((Value.Arr) member(members, "list")).items().forEach(element -> list.add(number(element)));
    var content =
        new Content(
            number(member(members, "n")),
            text(member(members, "tag")),
            optional(members.get("rank")),
            optional(members.get("u")),
            optional(members.get("ttl")),
            list,
            depth(members.get("deep")));
    var name = new Name(text(member(members, "pk")), text(member(members, "id")));
    return new Version(
        name,
        item.counter(),
        content,
        new Version.Stamp(item.lsn(), item.position(), item.commitTicks()));
  }

  static Changed changed(Change change) {
    var current = change.current();
    var previous = change.previous();
    return new Changed(
        Changed.Kind.valueOf(change.kind().name()),
        current == null ? null : version(current),
        previous == null ? null : version(previous));
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

  private static Value member(Map<String, Value> members, String name) {
    return Objects.requireNonNull(members.get(name), name);
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

  private static int number(Value value) {
    return (int) ((Value.Int64) value).value();
  }

  private static String text(Value value) {
    return ((Value.Text) value).value();
  }
}
