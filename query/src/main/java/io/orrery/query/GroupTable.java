package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.query.function.ValueOrder;
import io.orrery.query.function.Work;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The groups of a query over some of its items. Tables over other items can be merged into it, and
 * groups can leave it as values to come back later, so that the caller bounds the memory. Belongs
 * to one thread at a time.
 */
public final class GroupTable {
  private static final Value ABSENT = new Value.Arr(List.of());

  private final TopBlock top;
  private final ItemBinding binding;
  private final Groups groups;
  private Work comparing;

  GroupTable(TopBlock top, ItemBinding binding) {
    this.top = top;
    this.binding = binding;
    this.groups = new Groups(top.block(), Groups.Holder.of(binding.frame().parameters.budget()));
    this.comparing = binding.frame().work;
  }

  /** Lets comparing groups count as that work instead of its own. */
  public GroupTable comparedBy(Work work) {
    comparing = work;
    return this;
  }

  /** Groups by their keys; comparing counts as work of the query. */
  public Comparator<Group> order() {
    return (left, right) -> compare(left.keys(), right.keys());
  }

  /**
   * One group that left its table.
   *
   * @param keys the values grouped by; undefined may be among them
   * @param state what was accumulated
   */
  public record Group(List<Value> keys, Value state) {

    /**
     * The whole group as one value that JSON can write: an array of keys and state, or an array of
     * one element that holds such an array as {@link NonFinite} writes it.
     */
    public Value toValue() {
      Value whole =
          new Value.Arr(List.of(new Value.Arr(keys.stream().map(Group::written).toList()), state));
      return NonFinite.isIn(whole) ? new Value.Arr(List.of(NonFinite.written(whole))) : whole;
    }

    public static Group of(Value value) {
      List<Value> parts = ((Value.Arr) value).items();
      return parts.size() > 1
          ? new Group(read(parts.get(0)), parts.get(1))
          : of(NonFinite.read(parts.getFirst()));
    }

    /** Undefined cannot be written: it is an empty array, everything else an array of itself. */
    static Value written(Value value) {
      return value instanceof Value.Undefined ? ABSENT : new Value.Arr(List.of(value));
    }

    /** An input; one that has computed properties besides is marked. */
    static Value writtenInput(Value input) {
      Value own = Sizes.detached(ComputedProperties.without(input));
      return ComputedProperties.isOver(input)
          ? new Value.Arr(List.of(own, Value.TRUE))
          : written(own);
    }

    static List<Value> read(Value written) {
      List<Value> values = new ArrayList<>();
      for (Value one : ((Value.Arr) written).items()) {
        List<Value> inside = ((Value.Arr) one).items();
        values.add(inside.isEmpty() ? Value.UNDEFINED : inside.getFirst());
      }
      return values;
    }
  }

  public void add(Value item) {
    Frame frame = binding.bind(item);
    try {
      top.block().bind(frame, () -> groups.add(frame));
    } finally {
      binding.unbind();
    }
  }

  /** Evaluates an item and forgets what it gave. */
  void addInVain(Value item) {
    try {
      add(item);
    } finally {
      var _ = groups.drain();
    }
  }

  /** The steps that its items took. */
  public long steps() {
    return binding.frame().work.steps();
  }

  /** Takes over what the other table holds, which is not to be used again. */
  public void merge(GroupTable other) {
    other.groups.drain().forEach(this::absorb);
  }

  public void absorb(Group group) {
    List<Value> parts = ((Value.Arr) group.state).items();
    groups.absorb(
        GroupKeys.of(group.keys.stream().map(this::compared).toList()),
        readInputs(parts.get(0)),
        ((Value.Arr) parts.get(1)).items(),
        comparing);
  }

  private List<Value> readInputs(Value written) {
    List<Value> inputs = Group.read(written);
    List<Value> marked = ((Value.Arr) written).items();
    for (int i = 0; i < inputs.size(); i++) {
      if (((Value.Arr) marked.get(i)).items().size() > 1) {
        inputs.set(i, computed(inputs.get(i)));
      }
    }
    return inputs;
  }

  /** The item with what is computed of it here: the frame of another table is another thread's. */
  private Value computed(Value item) {
    return binding.computed().over(ComputedProperties.without(item), binding.frame());
  }

  private void absorb(Groups.Group group) {
    groups.absorb(
        compared(group.key()),
        group.inputs().stream()
            .map(input -> ComputedProperties.isOver(input) ? computed(input) : input)
            .toList(),
        group.states().stream().map(AggregateState::save).toList(),
        comparing);
  }

  /** Keys of another table count as work of that one, which may have ended. */
  private GroupKeys compared(GroupKeys keys) {
    List<ValueKey> own = keys.values().stream().map(key -> compared(key.value())).toList();
    return new GroupKeys(own, keys.hash());
  }

  private ValueKey compared(Value value) {
    return new ValueKey(value, comparing);
  }

  /** How many groups there are. */
  public int size() {
    return groups.count();
  }

  /** About how much memory the groups take. */
  public long sizeBytes() {
    return groups.sizeBytes();
  }

  /** All groups in the order of their keys; the table is empty afterwards. */
  public List<Group> drain() {
    return groups.drain().stream().map(GroupTable::saved).sorted(order()).toList();
  }

  private static Group saved(Groups.Group group) {
    List<Value> inputs = group.inputs().stream().map(Group::writtenInput).toList();
    List<Value> states = group.states().stream().map(AggregateState::save).toList();
    return new Group(
        group.key().values().stream().map(ValueKey::value).toList(),
        new Value.Arr(List.of(new Value.Arr(inputs), new Value.Arr(states))));
  }

  /**
   * A row per group in the order of the keys; aggregates without GROUP BY give one even over
   * nothing.
   */
  public boolean each(ItemRows.Sink sink) {
    Frame frame = binding.frame();
    List<Groups.Group> all = groups.finished(frame);
    all.sort((left, right) -> compare(left.key(), right.key()));
    for (Groups.Group group : all) {
      // What is selected of it may join anew.
      frame.beginItem(
          group.inputs().isEmpty()
              ? Value.UNDEFINED
              : ComputedProperties.without(group.inputs().getFirst()));
      groups.bind(group, frame);
      boolean more = top.emit(frame, sink);
      frame.work.endItem();
      if (!more) {
        return false;
      }
    }
    return true;
  }

  public List<Value> rows() {
    List<Value> rows = new ArrayList<>();
    each((row, keys) -> rows.add(row));
    return rows;
  }

  /** Compares without making keys that count as work of this table: comparisons are many. */
  private int compare(GroupKeys left, GroupKeys right) {
    for (int i = 0; i < left.values().size(); i++) {
      Value first = left.values().get(i).value();
      int by = ValueOrder.ORDER.compare(first, right.values().get(i).value(), comparing);
      if (by != 0) {
        return by;
      }
    }
    return 0;
  }

  private int compare(List<Value> left, List<Value> right) {
    for (int i = 0; i < left.size(); i++) {
      int by = ValueOrder.ORDER.compare(left.get(i), right.get(i), comparing);
      if (by != 0) {
        return by;
      }
    }
    return 0;
  }
}
