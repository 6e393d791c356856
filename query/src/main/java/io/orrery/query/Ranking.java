package io.orrery.query;

import io.orrery.query.function.FullText;
import io.orrery.query.function.VectorDistance;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY RANK: BM25 of full text, vector similarity, or several fused by reciprocal rank. The
 * statistics of BM25 are taken over the rows that pass the filter.
 */
record Ranking(List<Component> components) {
  private static final int RRF_CONSTANT = 60;

  /** One scoring function: the text or distance, the phrases sought, its weight. */
  record Component(Code value, List<Code> phrases, boolean text, boolean smallest, double weight) {}

  /** What a row brings to its score. */
  record Facts(List<Value> values, List<List<Value>> phrases) {}

  static Ranking compile(Query.OrderBy orderBy, ExpressionCompiler expressions) {
    List<Component> components = new ArrayList<>();
    for (Query.Key key : orderBy.keys()) {
      Expression.Call call = (Expression.Call) key.value();
      if (!call.name().equalsIgnoreCase("RRF")) {
        components.add(component(call, 1, expressions));
        continue;
      }
      List<Expression> arguments = call.arguments();
      @Nullable List<Expression> weights = null;
      if (arguments.getLast() instanceof Expression.ArrayOf(var given, _)) {
        weights = given;
        arguments = arguments.subList(0, arguments.size() - 1);
      }
      for (int i = 0; i < arguments.size(); i++) {
        double weight =
            weights != null && weights.get(i) instanceof Expression.Literal(Value.Num number, var _)
                ? number.asDouble()
                : 1;
        components.add(component((Expression.Call) arguments.get(i), weight, expressions));
      }
    }
    return new Ranking(components);
  }

  private static Component component(
      Expression.Call call, double weight, ExpressionCompiler expressions) {
    if (call.name().equalsIgnoreCase("FULLTEXTSCORE")) {
      List<Code> phrases = call.arguments().stream().skip(1).map(expressions::compile).toList();
      return new Component(
          expressions.compile(call.arguments().getFirst()), phrases, true, false, weight);
    }
    boolean smallest =
        call.arguments().size() > 3
            && call.arguments().get(3) instanceof Expression.ObjectOf options
            && VectorDistance.nearestIsSmallest(
                expressions.compile(options).run(new Frame(1, 0, Parameters.none())));
    return new Component(expressions.compile(call), List.of(), false, smallest, weight);
  }

  Facts facts(Frame frame) {
    List<Value> values = new ArrayList<>();
    List<List<Value>> phrases = new ArrayList<>();
    for (Component component : components) {
      values.add(component.value.run(frame));
      phrases.add(component.phrases.stream().map(phrase -> phrase.run(frame)).toList());
    }
    return new Facts(values, phrases);
  }

  /** The positions of the rows, best first. */
  List<Integer> order(List<Facts> rows) {
    double[] scores = new double[rows.size()];
    for (int c = 0; c < components.size(); c++) {
      double[] component = scores(rows, c);
      if (components.size() == 1) {
        scores = component;
        break;
      }
      List<Integer> ranks = best(component);
      for (int rank = 0; rank < ranks.size(); rank++) {
        scores[ranks.get(rank)] += components.get(c).weight / (RRF_CONSTANT + rank + 1);
      }
    }
    return best(scores);
  }

  private static List<Integer> best(double[] scores) {
    return IntStream.range(0, scores.length)
        .boxed()
        .sorted(Comparator.comparingDouble((Integer row) -> -scores[row]))
        .toList();
  }

  private double[] scores(List<Facts> rows, int c) {
    Component component = components.get(c);
    if (component.text) {
      return bm25(rows, c);
    }
    return rows.stream()
        .mapToDouble(
            row ->
                row.values.get(c) instanceof Value.Num number
                    ? (component.smallest ? -number.asDouble() : number.asDouble())
                    : Double.NEGATIVE_INFINITY)
        .toArray();
  }

  private static double[] bm25(List<Facts> rows, int c) {
    List<List<String>> texts = new ArrayList<>();
    double words = 0;
    for (Facts row : rows) {
      List<String> text =
          row.values.get(c) instanceof Value.Text(String string)
              ? FullText.words(string)
              : List.of();
      texts.add(text);
      words += text.size();
    }
    double average = rows.isEmpty() || words == 0 ? 1 : words / rows.size();
    double[] scores = new double[rows.size()];
    for (List<String> phrase : phrases(rows, c)) {
      int[] counts = texts.stream().mapToInt(text -> FullText.count(text, phrase)).toArray();
      long containing = IntStream.of(counts).filter(count -> count > 0).count();
      for (int i = 0; i < counts.length; i++) {
        double length = texts.get(i).size() / average;
        scores[i] += FullText.bm25(counts[i], length, rows.size(), (double) containing);
      }
    }
    return scores;
  }

  private static List<List<String>> phrases(List<Facts> rows, int c) {
    List<List<String>> phrases = new ArrayList<>();
    if (!rows.isEmpty()) {
      for (Value phrase : rows.getFirst().phrases.get(c)) {
        switch (phrase) {
          case Value.Text(String text) -> phrases.add(FullText.words(text));
          case Value.Arr(List<Value> several) -> {
            for (Value one : several) {
              if (one instanceof Value.Text(String text)) {
                phrases.add(FullText.words(text));
              }
            }
          }
          default -> {}
        }
      }
    }
    return phrases;
  }
}
