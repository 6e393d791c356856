package io.orrery.query;

import io.orrery.query.function.FullText;
import io.orrery.query.syntax.Expression;
import io.orrery.query.syntax.Query;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * ORDER BY RANK: BM25 of full text, vector similarity, or several fused by reciprocal rank. The
 * statistics of BM25 are taken over all rows of FROM, whether or not they pass the filter.
 */
record Ranking(List<Component> components) {
  /** One scoring function: the text or distance, the phrases sought, its weight. */
  record Component(Code value, List<Code> phrases, boolean text, boolean smallest, double weight) {}

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
    Similarity similarity = Similarity.compile(call, expressions);
    return new Component(similarity.value(), List.of(), false, similarity.smallest(), weight);
  }

  /** What a row brings to its score: the words of a text and the hits in it, or a similarity. */
  List<Value> facts(Frame frame) {
    List<Value> facts = new ArrayList<>(components.size());
    for (Component component : components) {
      Value value = component.value.run(frame);
      if (component.text) {
        facts.add(textFacts(value, component.phrases, frame));
      } else {
        facts.add(value instanceof Value.Num ? value : Value.NULL);
      }
    }
    return facts;
  }

  private static Value textFacts(Value value, List<Code> phrases, Frame frame) {
    if (!(value instanceof Value.Text(String content))) {
      return Value.NULL;
    }
    List<String> words = FullText.words(content, frame.work);
    List<Value> facts = new ArrayList<>();
    facts.add(Value.of(words.size()));
    for (Code phrase : phrases) {
      switch (phrase.run(frame)) {
        case Value.Text(String text) -> facts.add(hits(words, text, frame.work));
        case Value.Arr(List<Value> several) -> {
          for (Value one : several) {
            if (one instanceof Value.Text(String text)) {
              facts.add(hits(words, text, frame.work));
            }
          }
        }
        default -> {}
      }
    }
    return new Value.Arr(facts);
  }

  private static Value hits(List<String> words, String phrase, ThreadWork work) {
    return Value.of(FullText.count(words, FullText.words(phrase, work), work));
  }
}
