package io.orrery.query;

import io.orrery.value.Value;
import java.util.AbstractMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Properties that a container computes from each item: found by name, but no part of the item where
 * it is taken as a whole.
 */
public record ComputedProperties(Map<String, CompiledQuery> queries) {
  public static final ComputedProperties NONE = new ComputedProperties(Map.of());

  Value over(Value item, Frame frame) {
    return queries.isEmpty() || !(item instanceof Value.Obj object)
        ? item
        : new Value.Obj(new Members(object, queries, frame));
  }

  /** The item itself where a row is the item with its computed properties. */
  static Value without(Value row) {
    return row instanceof Value.Obj(Members members) ? members.item : row;
  }

  private static final class Members extends AbstractMap<String, Value> {
    private final Value.Obj item;
    private final Map<String, CompiledQuery> queries;
    private final Frame frame;

    Members(Value.Obj item, Map<String, CompiledQuery> queries, Frame frame) {
      this.item = item;
      this.queries = queries;
      this.frame = frame;
    }

    @Override
    public @Nullable Value get(Object name) {
      CompiledQuery query = queries.get(name);
      if (query == null) {
        return item.members().get(name);
      }
      Value found = query.first(item, frame);
      return found instanceof Value.Undefined ? null : found;
    }

    @Override
    public Value getOrDefault(Object name, Value otherwise) {
      Value found = get(name);
      return found == null ? otherwise : found;
    }

    @Override
    public boolean containsKey(Object name) {
      return get(name) != null;
    }

    @Override
    public int size() {
      return item.members().size();
    }

    @Override
    public Set<Map.Entry<String, Value>> entrySet() {
      return item.members().entrySet();
    }
  }
}
