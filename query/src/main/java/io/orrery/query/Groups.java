package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.query.function.Work;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rows of one block gathered by key, in the order in which the keys were first seen. */
final class Groups {
  private static final long GROUP_BYTES = 200;
  private static final long STATE_BYTES = 96;

  /**
   * One group.
   *
   * @param inputs what the first row's inputs were, where the selection looks at them; else empty
   */
  record Group(GroupKeys key, List<Value> inputs, List<AggregateState> states) {}

  /** Where the memory of the groups is drawn. */
  interface Holder {
    void hold(long bytes);

    void release(long bytes);

    /** Groups of a nested query end with the evaluation of the item. */
    static Holder of(ThreadWork work) {
      return new Holder() {
        @Override
        public void hold(long bytes) {
          work.hold(bytes);
        }

        @Override
        public void release(long bytes) {
          work.release(bytes);
        }
      };
    }

    /** Groups of a whole query pass from thread to thread. */
    static Holder of(QueryBudget budget) {
      return new Holder() {
        @Override
        public void hold(long bytes) {
          budget.take(bytes);
        }

        @Override
        public void release(long bytes) {
          budget.giveBack(bytes);
        }
      };
    }
  }

  private static final long HELD_AT_ONCE_BYTES = 64L << 10;

  private final Block block;
  private final Holder holder;
  private final Map<GroupKeys, Group> groups = new LinkedHashMap<>();
  private long sizeBytes;
  private long heldBytes;

  Groups(Block block, Holder holder) {
    this.block = block;
    this.holder = holder;
  }

  int count() {
    return groups.size();
  }

  long sizeBytes() {
    return sizeBytes;
  }

  /** Adds the row that the frame is bound to. */
  boolean add(Frame frame) {
    Group group = group(key(frame), frame);
    for (int i = 0; i < group.states.size(); i++) {
      Value value = block.aggregates().get(i).argument().run(frame);
      if (!(value instanceof Value.Undefined)) {
        frame.work.pass(value);
        grow(group.states.get(i).add(value, frame.work));
      }
    }
    return true;
  }

  private void grow(long bytes) {
    sizeBytes += bytes;
    if (sizeBytes - heldBytes > HELD_AT_ONCE_BYTES) {
      holder.hold(sizeBytes - heldBytes);
      heldBytes = sizeBytes;
    }
  }

  private GroupKeys key(Frame frame) {
    if (block.groupBy().isEmpty()) {
      return GroupKeys.NONE;
    }
    List<ValueKey> key = new ArrayList<>(block.groupBy().size());
    for (Block.GroupKey part : block.groupBy()) {
      Value value = part.value().run(frame);
      frame.work.pass(value);
      // Hashing reads its texts, and a new group has a copy.
      frame.work.take(Sizes.memoryBytes(value));
      key.add(new ValueKey(value, frame.work));
    }
    return GroupKeys.of(key);
  }

  private Group group(GroupKeys key, Frame frame) {
    Group known = groups.get(key);
    if (known != null) {
      return known;
    }
    List<ValueKey> own = new ArrayList<>(key.values().size());
    for (ValueKey part : key.values()) {
      own.add(new ValueKey(Sizes.detached(part.value()), frame.work));
    }
    return put(
        new GroupKeys(own, key.hash()), block.keepsInputs() ? List.of(frame.inputs) : List.of());
  }

  private Group put(GroupKeys key, List<Value> inputs) {
    var group = new Group(key, inputs, block.aggregates().stream().map(Aggregate::start).toList());
    groups.put(key, group);
    long bytes = GROUP_BYTES + STATE_BYTES * group.states.size();
    for (ValueKey part : key.values()) {
      bytes += Sizes.memoryBytes(part.value());
    }
    for (Value input : inputs) {
      bytes += Sizes.memoryBytes(ComputedProperties.without(input));
    }
    grow(bytes);
    return group;
  }

  /** Adds a group that was accumulated elsewhere. */
  void absorb(GroupKeys key, List<Value> inputs, List<Value> saved, Work work) {
    Group known = groups.get(key);
    Group group = known == null ? put(key, inputs) : known;
    for (int i = 0; i < saved.size(); i++) {
      grow(group.states.get(i).absorb(saved.get(i), work));
    }
  }

  /** The groups as they are; aggregates without GROUP BY have one even over nothing. */
  List<Group> finished(Frame frame) {
    if (groups.isEmpty() && block.groupBy().isEmpty()) {
      group(GroupKeys.NONE, frame);
    }
    return new ArrayList<>(groups.values());
  }

  List<Group> drain() {
    List<Group> all = new ArrayList<>(groups.values());
    groups.clear();
    holder.release(heldBytes);
    sizeBytes = 0;
    heldBytes = 0;
    return all;
  }

  /** Binds the frame to each group in turn. */
  boolean each(Frame frame, Input.Next next) {
    for (Group group : finished(frame)) {
      bind(group, frame);
      if (!next.row()) {
        return false;
      }
    }
    return true;
  }

  void bind(Group group, Frame frame) {
    if (!group.inputs.isEmpty()) {
      frame.restore(group.inputs);
    }
    for (int i = 0; i < group.key.values().size(); i++) {
      frame.results[block.groupBy().get(i).slot()] = group.key.values().get(i).value();
    }
    for (int i = 0; i < group.states.size(); i++) {
      AggregateState state = group.states.get(i);
      frame.work.steps(state.steps());
      frame.results[block.aggregates().get(i).slot()] = state.result();
    }
    // What is selected of it may be large, and leave it out.
    frame.work.steps(block.steps());
  }
}
