package io.orrery.query;

import io.orrery.query.function.AggregateKind;
import io.orrery.query.function.Function;
import io.orrery.query.function.Functions;
import io.orrery.query.function.LikePattern;
import io.orrery.query.function.Operators;
import io.orrery.query.function.Sizes;
import io.orrery.query.function.ValueKey;
import io.orrery.query.function.ValueOrder;
import io.orrery.query.function.VectorDistance;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.QueryRefused;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns expressions of one query block into code. */
final class ExpressionCompiler {
  private static final int PARTS_PER_STEP = 16;

  private static final long MEMBER_BYTES = 64;

  private final Scope scope;
  private final List<Aggregate> aggregates = new ArrayList<>();

  /** Slots of what the block groups by, once that is known. */
  private GroupedBy keys = new GroupedBy();

  private boolean looksAtInputs;
  private int parts;

  ExpressionCompiler(Scope scope) {
    this.scope = scope;
  }

  /** Aggregates met so far; the block accumulates them. */
  List<Aggregate> aggregates() {
    return aggregates;
  }

  /** From here on the expression is the value that rows were grouped by. */
  void declareKey(Expression expression, int slot) {
    keys.put(expression, slot);
    looksAtInputs = false;
  }

  /** Whether what was compiled since the keys looks at inputs, aggregates aside. */
  boolean looksAtInputs() {
    return looksAtInputs;
  }

  /** What one evaluation of all that was compiled counts; calls and subqueries count more. */
  int steps() {
    return 1 + parts / PARTS_PER_STEP;
  }

  Code compile(Expression expression) {
    parts++;
    Integer slot = keys.slot(expression);
    return slot == null ? code(expression) : frame -> frame.results[slot];
  }

  private Code code(Expression expression) {
    return switch (expression) {
      case Expression.Literal(var value, _) -> frame -> value;
      case Expression.Parameter(var name, _) -> frame -> frame.parameters.value(name);
      case Expression.Reference reference -> reference(reference);
      case Expression.Property(var of, var name, _, _) -> property(compile(of), name);
      case Expression.Indexed(var of, var index, _) -> indexed(compile(of), compile(index));
      case Expression.Unary(var operator, var operand, _) ->
          OperatorCode.unary(operator, compile(operand));
      case Expression.Binary(var operator, var left, var right, _) ->
          OperatorCode.binary(operator, compile(left), compile(right));
      case Expression.Logical(var all, var operands, _) -> logical(all, compile(operands));
      case Expression.Coalesce(var left, var right, _) -> coalesce(compile(left), compile(right));
      case Expression.Conditional(var test, var then, var otherwise, _) ->
          conditional(compile(test), compile(then), compile(otherwise));
      case Expression.In in -> negate(in.negated(), in(in));
      case Expression.Between between -> negate(between.negated(), between(between));
      case Expression.Like like -> negate(like.negated(), like(like));
      case Expression.ArrayOf(var items, _) -> array(compile(items));
      case Expression.ObjectOf(var members, _) -> object(members);
      case Expression.Call call -> call(call);
      case Expression.Subquery(var kind, var query, _) -> {
        looksAtInputs = true;
        yield SubqueryCode.of(kind, BlockCompiler.compile(query, scope));
      }
    };
  }

  private Code[] compile(List<Expression> expressions) {
    return expressions.stream().map(this::compile).toArray(Code[]::new);
  }

  private Code reference(Expression.Reference reference) {
    int slot = scope.slot(reference.name());
    if (slot < 0 && ExpressionChecker.NUMBER_NAMES.contains(reference.name())) {
      Value number = new Value.Float64(Double.parseDouble(reference.name()));
      return frame -> number;
    }
    if (slot < 0) {
      throw new QueryRefused(
          "SC2001", "Identifier '" + reference.name() + "' could not be resolved.", reference.at());
    }
    looksAtInputs = true;
    return frame -> frame.inputs[slot];
  }

  static Code property(Code of, String name) {
    return frame -> {
      Value value = of.run(frame);
      return value instanceof Value.Obj(Map<String, Value> members)
          ? frame.read(members.getOrDefault(name, Value.UNDEFINED), value)
          : Value.UNDEFINED;
    };
  }

  static Code indexed(Code of, Code index) {
    return frame -> {
      Value at = index.run(frame);
      Value value = of.run(frame);
      return switch (value) {
        case Value.Arr(List<Value> items) when at instanceof Value.Num position ->
            frame.read(element(items, position.asDouble()), value);
        case Value.Obj(Map<String, Value> members) when at instanceof Value.Text(String name) ->
            frame.read(members.getOrDefault(name, Value.UNDEFINED), value);
        default -> Value.UNDEFINED;
      };
    };
  }

  private static Value element(List<Value> items, double position) {
    int index = (int) position;
    return index == position && index >= 0 && index < items.size()
        ? items.get(index)
        : Value.UNDEFINED;
  }

  /** One deciding operand wins over undefined ones; what is not a boolean counts as undefined. */
  private static Code logical(boolean all, Code[] operands) {
    Value.Bool deciding = Value.Bool.of(!all);
    Value neutral = Value.of(all);
    return frame -> {
      Value result = neutral;
      for (Code operand : operands) {
        long mark = frame.work.mark();
        Value value = operand.run(frame);
        frame.work.reset(mark);
        if (!(value instanceof Value.Bool bool)) {
          result = Value.UNDEFINED;
        } else if (bool == deciding) {
          return bool;
        }
      }
      return result;
    };
  }

  private static Code coalesce(Code left, Code right) {
    return frame -> {
      Value value = left.run(frame);
      return value instanceof Value.Undefined ? right.run(frame) : value;
    };
  }

  private static Code conditional(Code test, Code then, Code otherwise) {
    return frame -> isTrue(test.run(frame)) ? then.run(frame) : otherwise.run(frame);
  }

  static boolean isTrue(Value value) {
    return value instanceof Value.Bool bool && bool == Value.Bool.TRUE;
  }

  private static Code negate(boolean negated, Code code) {
    return negated ? frame -> Operators.not(code.run(frame)) : code;
  }

  private Code in(Expression.In in) {
    Code needle = compile(in.needle());
    if (in.haystack().stream().allMatch(e -> e instanceof Expression.Literal)) {
      Set<ValueKey> values = new HashSet<>();
      in.haystack().forEach(e -> values.add(new ValueKey(((Expression.Literal) e).value())));
      return frame -> {
        Value value = needle.run(frame);
        frame.work.pass(value);
        return value instanceof Value.Undefined
            ? value
            : Value.of(values.contains(new ValueKey(value, frame.work)));
      };
    }
    Code[] haystack = compile(in.haystack());
    return frame -> {
      Value value = needle.run(frame);
      if (value instanceof Value.Undefined) {
        return value;
      }
      for (Code straw : haystack) {
        if (ValueOrder.equal(value, straw.run(frame), frame.work)) {
          return Value.TRUE;
        }
      }
      return Value.FALSE;
    };
  }

  private Code between(Expression.Between between) {
    Code value = compile(between.value());
    Code low = compile(between.low());
    Code high = compile(between.high());
    return frame -> {
      // Evaluated once: nested ranges would double the work with each level.
      Value found = value.run(frame);
      Value above = Operators.lessOrEqual(low.run(frame), found, frame.work);
      if (above.equals(Value.FALSE)) {
        return above;
      }
      Value below = Operators.lessOrEqual(found, high.run(frame), frame.work);
      return below.equals(Value.FALSE) || isTrue(above) ? below : Value.UNDEFINED;
    };
  }

  private Code like(Expression.Like like) {
    Code text = compile(like.text());
    Expression escape = like.escape();
    boolean constant =
        like.pattern() instanceof Expression.Literal
            && (escape == null || escape instanceof Expression.Literal);
    // A literal that is grouped by as well is itself still, and known before there are groups.
    Code pattern = constant ? code(like.pattern()) : compile(like.pattern());
    Code escaping = escape == null ? null : constant ? code(escape) : compile(escape);
    LikePattern fixed =
        constant ? likePattern(pattern, escaping, new Frame(0, 0, Parameters.none())) : null;
    return frame -> {
      LikePattern matcher = constant ? fixed : likePattern(pattern, escaping, frame);
      return matcher != null && text.run(frame) instanceof Value.Text(String string)
          ? Value.of(matcher.matches(string, frame.work))
          : Value.UNDEFINED;
    };
  }

  private static @Nullable LikePattern likePattern(
      Code pattern, @Nullable Code escape, Frame frame) {
    if (!(pattern.run(frame) instanceof Value.Text(String text))) {
      return null;
    }
    LikePattern.draw(text, frame.work);
    if (escape == null) {
      return LikePattern.compile(text, -1);
    }
    return escape.run(frame) instanceof Value.Text(String character) && !character.isEmpty()
        ? LikePattern.compile(text, character.codePointAt(0))
        : null;
  }

  private static Code array(Code[] items) {
    return frame -> {
      frame.work.items(items.length);
      List<Value> values = new ArrayList<>(items.length);
      for (Code item : items) {
        Value value = item.run(frame);
        if (!(value instanceof Value.Undefined)) {
          values.add(value);
        }
      }
      return new Value.Arr(values);
    };
  }

  private Code object(List<Expression.Member> members) {
    String[] names = members.stream().map(Expression.Member::name).toArray(String[]::new);
    return object(names, compile(members.stream().map(Expression.Member::value).toList()));
  }

  static Code object(String[] names, Code[] values) {
    return frame -> {
      frame.work.take(MEMBER_BYTES * names.length);
      Map<String, Value> members = LinkedHashMap.newLinkedHashMap(names.length);
      for (int i = 0; i < names.length; i++) {
        Value value = values[i].run(frame);
        if (!(value instanceof Value.Undefined)) {
          members.put(names[i], value);
        }
      }
      return new Value.Obj(members);
    };
  }

  private Code call(Expression.Call call) {
    AggregateKind aggregate = AggregateKind.of(call);
    if (aggregate != null) {
      return aggregate(aggregate, call.arguments().getFirst());
    }
    Code[] arguments = compile(call.arguments());
    if (call.udf()) {
      scope.layout().calls(call.name());
      return frame -> called(call.name(), List.of(run(arguments, frame)), frame);
    }
    Function function = Functions.named(call.name());
    if (function == null) {
      throw new QueryRefused(
          "SC2005",
          "'" + call.name() + "' is not a recognized built-in function name.",
          call.nameAt());
    }
    if (function.name().equals("VECTORDISTANCE")) {
      String policy = vectorFunction(call);
      return frame -> VectorDistance.of(run(arguments, frame), policy, frame.work);
    }
    Function.Body body = function.body();
    return frame -> {
      frame.work.steps(1);
      long mark = frame.work.mark();
      Value result = body.apply(run(arguments, frame), frame.work);
      if (!isBuilt(result)) {
        frame.work.reset(mark);
      }
      return result;
    };
  }

  /** Whether the value may hold on to memory that was drawn for it. */
  static boolean isBuilt(Value value) {
    return value instanceof Value.Text || value instanceof Value.Arr || value instanceof Value.Obj;
  }

  /** Arguments go to another process as a copy, and what it gives is as large as it likes. */
  private static Value called(String name, List<Value> arguments, Frame frame) {
    for (Value argument : arguments) {
      frame.work.take(Sizes.memoryBytes(Sizes.allow(argument, frame.work)));
    }
    Value given = frame.parameters.functions().call(name, arguments);
    frame.work.take(Sizes.memoryBytes(given));
    return given;
  }

  /** The distance function that the container has for the vector of a call. */
  String vectorFunction(Expression.Call call) {
    return scope.layout().vectors().function(call, name -> scope.slot(name) == Frame.ITEM);
  }

  /** Its argument is evaluated for each row, before there is a group. */
  private Code aggregate(AggregateKind kind, Expression argument) {
    GroupedBy ofGroup = keys;
    boolean looked = looksAtInputs;
    keys = GroupedBy.NOTHING;
    Code code = compile(argument);
    keys = ofGroup;
    looksAtInputs = looked;
    int slot = scope.layout().nextResult();
    aggregates.add(new Aggregate(kind, code, slot));
    return frame -> frame.results[slot];
  }

  private static Value[] run(Code[] codes, Frame frame) {
    Value[] values = new Value[codes.length];
    for (int i = 0; i < codes.length; i++) {
      values[i] = codes[i].run(frame);
    }
    return values;
  }
}
