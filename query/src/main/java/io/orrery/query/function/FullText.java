package io.orrery.query.function;

import static io.orrery.query.function.Function.UNBOUNDED;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Words of a text and the tests of full text search: lower case, split at what is no letter. */
public final class FullText {
  static final List<Function> ALL =
      List.of(
          strict("FULLTEXTCONTAINS", 2, a -> contains(a, true)),
          strict("FULLTEXTCONTAINSALL", 2, UNBOUNDED, a -> contains(a, true)),
          strict("FULLTEXTCONTAINSANY", 2, UNBOUNDED, a -> contains(a, false)),
          // Written by query plans only, with statistics that the client gathered.
          strict("_FULLTEXTWORDCOUNT", 1, FullText::wordCount),
          strict("_FULLTEXTSCORE", 5, FullText::score));

  private static final double K1 = 1.2;
  private static final double B = 0.75;

  private FullText() {}

  public static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    text.toLowerCase(Locale.ROOT)
        .codePoints()
        .forEach(
            point -> {
              if (Character.isLetterOrDigit(point)) {
                word.appendCodePoint(point);
              } else if (!word.isEmpty()) {
                words.add(word.toString());
                word.setLength(0);
              }
            });
    if (!word.isEmpty()) {
      words.add(word.toString());
    }
    return words;
  }

  /** How often the words of the phrase follow each other in the text. */
  public static int count(List<String> text, List<String> phrase) {
    int count = 0;
    for (int i = 0; !phrase.isEmpty() && i + phrase.size() <= text.size(); i++) {
      if (text.subList(i, i + phrase.size()).equals(phrase)) {
        count++;
      }
    }
    return count;
  }

  /** BM25 of one phrase in one text; the length is relative to the average of all texts. */
  public static double bm25(int count, double relativeLength, double documents, double hits) {
    double idf = Math.log(1 + (documents - hits + 0.5) / (hits + 0.5));
    return idf * count * (K1 + 1) / (count + K1 * (1 - B + B * relativeLength));
  }

  private static Value wordCount(Value[] arguments) {
    return arguments[0] instanceof Value.Text(String text)
        ? Value.of(words(text).size())
        : Value.UNDEFINED;
  }

  /** Text, phrases, number of documents, their words in all, documents that have each phrase. */
  private static Value score(Value[] arguments) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Arr(List<Value> phrases))
        || !(arguments[2] instanceof Value.Num documents)
        || !(arguments[3] instanceof Value.Num totalWords)
        || !(arguments[4] instanceof Value.Arr(List<Value> hits))
        || hits.size() != phrases.size()) {
      return Value.UNDEFINED;
    }
    List<String> words = words(text);
    double average = Math.max(1, totalWords.asDouble() / Math.max(1, documents.asDouble()));
    double score = 0;
    for (int i = 0; i < phrases.size(); i++) {
      if (phrases.get(i) instanceof Value.Text(String phrase)
          && hits.get(i) instanceof Value.Num hit) {
        int count = count(words, words(phrase));
        score += bm25(count, words.size() / average, documents.asDouble(), hit.asDouble());
      }
    }
    return new Value.Float64(score);
  }

  private static Value contains(Value[] arguments, boolean all) {
    if (!(arguments[0] instanceof Value.Text(String text))) {
      return Value.UNDEFINED;
    }
    List<String> words = words(text);
    boolean found = all;
    for (int i = 1; i < arguments.length; i++) {
      if (!(arguments[i] instanceof Value.Text(String phrase))) {
        return Value.UNDEFINED;
      }
      boolean there = count(words, words(phrase)) > 0;
      found = all ? found && there : found || there;
    }
    return Value.of(found);
  }
}
