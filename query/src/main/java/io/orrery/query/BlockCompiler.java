package io.orrery.query;

import io.orrery.query.function.Sizes;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.query.syntax.Query.Source;
import io.orrery.query.syntax.Query.Step;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns one query, with everything nested in it, into a block. */
final class BlockCompiler {
  private final Scope scope;
  private final ExpressionCompiler expressions;
  private final List<Input> inputs = new ArrayList<>();
  private int lastSlot = Frame.ITEM;
  private List<SortKey> sortKeys = List.of();

  private BlockCompiler(Scope scope) {
    this.scope = scope;
    this.expressions = new ExpressionCompiler(scope);
  }

  static Block compile(Query query, Scope outer) {
    return new BlockCompiler(new Scope(outer, outer.layout())).block(query, 0);
  }

  /** The top of a query and its sort keys, which see the same names. */
  static TopBlock compileTop(Query query, Scope scope) {
    BlockCompiler compiler = new BlockCompiler(scope);
    TopBlock.Feed feed = compiler.feed(query.from());
    Block block = compiler.block(query, feed == null ? 0 : 1);
    Query.OrderBy orderBy = query.orderBy();
    Ranking ranking =
        orderBy != null && orderBy.rank() ? Ranking.compile(orderBy, compiler.expressions) : null;
    return new TopBlock(block, compiler.sortKeys, ranking, feed);
  }

  /**
   * A subquery that comes first looks at the whole container: where it removes duplicates or
   * groups, all items must have passed through it before the outer query sees a row.
   */
  private TopBlock.@Nullable Feed feed(Query.@Nullable From from) {
    if (from == null
        || !(from.sources().getFirst()
            instanceof Source.Whole(Query.Collection.Nested(var query, _), var alias, _))) {
      return null;
    }
    TopBlock inner = compileTop(query, new Scope(null, scope.layout()));
    if (inner.feed() == null && !inner.block().grouped() && !inner.block().distinct()) {
      return null;
    }
    int slot = scope.layout().nextInput();
    declare(alias, slot);
    return new TopBlock.Feed(query, inner, slot);
  }

  private Block block(Query query, int sourcesDone) {
    Query.From from = query.from();
    if (from != null) {
      from.sources().stream().skip(sourcesDone).forEach(this::source);
    }
    Expression where = query.where();
    Code filter = where == null ? null : expressions.compile(where);
    List<Block.GroupKey> groupBy = query.groupBy().stream().map(this::groupKey).toList();
    for (int i = 0; i < groupBy.size(); i++) {
      expressions.declareKey(query.groupBy().get(i), groupBy.get(i).slot());
    }
    Code projection = projection(query.select().selection());
    Query.OrderBy orderBy = query.orderBy();
    if (orderBy != null && !orderBy.rank()) {
      sortKeys = orderBy.keys().stream().map(key -> SortKey.compile(key, expressions)).toList();
    }
    return new Block(
        inputs,
        filter,
        projection,
        query.select().distinct(),
        groupBy,
        List.copyOf(expressions.aggregates()),
        expressions.looksAtInputs(),
        expressions.steps());
  }

  private Block.GroupKey groupKey(Expression key) {
    return new Block.GroupKey(expressions.compile(key), scope.layout().nextResult());
  }

  private void source(Source source) {
    switch (source) {
      case Source.Whole(Query.Collection.Path path, var alias, _) -> {
        int slot = whole(path);
        String name = alias == null ? lastName(path) : alias;
        declare(name, slot);
      }
      case Source.Whole(Query.Collection.Nested(var query, _), var alias, _) -> {
        Block block = compile(query, scope);
        int slot = scope.layout().nextInput();
        inputs.add(Input.rows(block, slot));
        declare(alias, slot);
      }
      case Source.Each(Query.Collection.Path path, var alias, _) -> {
        Code array = path(path);
        int slot = scope.layout().nextInput();
        inputs.add(Input.each(array, slot));
        declare(alias, slot);
      }
      case Source.Each(Query.Collection.Nested(var query, _), var alias, _) -> {
        Block block = compile(query, scope);
        int slot = scope.layout().nextInput();
        inputs.add(Input.elementsOfRows(block, slot));
        declare(alias, slot);
      }
    }
  }

  private void declare(@Nullable String alias, int slot) {
    if (alias != null) {
      scope.declare(alias, slot);
    }
    lastSlot = slot;
  }

  /** A bare name needs no row of its own: it is the slot of what it names. */
  private int whole(Query.Collection.Path path) {
    if (path.steps().isEmpty()) {
      return root(path);
    }
    Code code = path(path);
    int slot = scope.layout().nextInput();
    inputs.add(Input.whole(code, slot));
    return slot;
  }

  private Code path(Query.Collection.Path path) {
    int root = root(path);
    Code code = frame -> frame.inputs[root];
    for (Step step : path.steps()) {
      code =
          switch (step) {
            case Step.Name(var name, _) -> ExpressionCompiler.property(code, name);
            case Step.Position(long index) ->
                ExpressionCompiler.indexed(code, frame -> Value.of(index));
          };
    }
    return code;
  }

  /** A name that no input has is the container's, whatever it is called. */
  private int root(Query.Collection.Path path) {
    int slot = scope.slot(path.root());
    if (slot >= 0) {
      return slot;
    }
    if (scope.isEmpty() || path.root().equalsIgnoreCase("root")) {
      return Frame.ITEM;
    }
    throw new QueryRefused(
        "SC2001", "Identifier '" + path.root() + "' could not be resolved.", path.rootAt());
  }

  private static @Nullable String lastName(Query.Collection.Path path) {
    if (path.steps().isEmpty()) {
      return path.root();
    }
    return path.steps().getLast() instanceof Step.Name(var name, _) ? name : null;
  }

  private Code projection(Query.Selection selection) {
    return switch (selection) {
      case Query.Selection.Star _ -> {
        int slot = lastSlot;
        yield frame -> frame.inputs[slot];
      }
      case Query.Selection.Only(var value) -> built(expressions.compile(value), List.of(value));
      case Query.Selection.Items(var items) -> {
        String[] names = ItemNames.of(items);
        Code[] values =
            items.stream().map(item -> expressions.compile(item.value())).toArray(Code[]::new);
        yield built(
            ExpressionCompiler.object(names, values),
            items.stream().map(Query.Item::value).toList());
      }
    };
  }

  /** Rows are weighed where expressions build them; a part of an item is no larger than it. */
  private static Code built(Code row, List<Expression> parts) {
    if (!parts.stream().allMatch(BlockCompiler::isPath)) {
      return frame -> Sizes.allow(row.run(frame), frame.work);
    }
    return parts.size() == 1 ? row : frame -> Sizes.allowParts(row.run(frame), frame.work);
  }

  private static boolean isPath(Expression expression) {
    return switch (expression) {
      case Expression.Reference _ -> true;
      case Expression.Property(var of, _, _, _) -> isPath(of);
      default -> false;
    };
  }
}
