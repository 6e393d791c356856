package io.orrery.query.function;

import static io.orrery.query.function.Function.UNBOUNDED;
import static io.orrery.query.function.Function.strict;

import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Words of a text and the tests of full text search: lower case, split at what is no letter. */
public final class FullText {
  static final List<Function> ALL =
      List.of(
          strict("FULLTEXTCONTAINS", 2, (a, work) -> contains(a, true, work)),
          strict("FULLTEXTCONTAINSALL", 2, UNBOUNDED, (a, work) -> contains(a, true, work)),
          strict("FULLTEXTCONTAINSANY", 2, UNBOUNDED, (a, work) -> contains(a, false, work)),
          // Written by query plans only, with statistics that the client gathered.
          strict("_FULLTEXTWORDCOUNT", 1, FullText::wordCount),
          strict("_FULLTEXTSCORE", 5, FullText::score));

  private static final double K1 = 1.2;
  private static final double B = 0.75;

  private FullText() {}

  public static List<String> words(String text, Work work) {
    work.steps(1);
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    LetterCase.lower(text, work)
        .codePoints()
        .forEach(
            point -> {
              if (Character.isLetterOrDigit(point)) {
                word.appendCodePoint(point);
              } else if (!word.isEmpty()) {
                work.items(1);
                work.text(word.length());
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
  public static int count(List<String> text, List<String> phrase, Work work) {
    int count = 0;
    for (int i = 0; !phrase.isEmpty() && i + phrase.size() <= text.size(); i++) {
      int same = 0;
      while (same < phrase.size() && text.get(i + same).equals(phrase.get(same))) {
        same++;
      }
      // Long phrases of one repeated word take the product of the lengths.
      work.steps(same >> 2);
      if (same == phrase.size()) {
        count++;
      }
    }
    work.steps(text.size() >> 3);
    return count;
  }

  /** BM25 of one phrase in one text; the length is relative to the average of all texts. */
  public static double bm25(int count, double relativeLength, double documents, double hits) {
    double idf = Math.log(1 + (documents - hits + 0.5) / (hits + 0.5));
    return idf * count * (K1 + 1) / (count + K1 * (1 - B + B * relativeLength));
  }

  private static Value wordCount(Value[] arguments, Work work) {
    return arguments[0] instanceof Value.Text(String text)
        ? Value.of(words(text, work).size())
        : Value.UNDEFINED;
  }

  /** Text, phrases, number of documents, their words in all, documents that have each phrase. */
  private static Value score(Value[] arguments, Work work) {
    if (!(arguments[0] instanceof Value.Text(String text))
        || !(arguments[1] instanceof Value.Arr(List<Value> phrases))
        || !(arguments[2] instanceof Value.Num documents)
        || !(arguments[3] instanceof Value.Num totalWords)
        || !(arguments[4] instanceof Value.Arr(List<Value> hits))
        || hits.size() != phrases.size()) {
      return Value.UNDEFINED;
    }
    List<String> words = words(text, work);
    double average = Math.max(1, totalWords.asDouble() / Math.max(1, documents.asDouble()));
    double score = 0;
    for (int i = 0; i < phrases.size(); i++) {
      if (phrases.get(i) instanceof Value.Text(String phrase)
          && hits.get(i) instanceof Value.Num hit) {
        int count = count(words, words(phrase, work), work);
        score += bm25(count, words.size() / average, documents.asDouble(), hit.asDouble());
      }
    }
    return new Value.Float64(score);
  }

  private static Value contains(Value[] arguments, boolean all, Work work) {
    if (!(arguments[0] instanceof Value.Text(String text))) {
      return Value.UNDEFINED;
    }
    List<String> words = words(text, work);
    boolean found = all;
    for (int i = 1; i < arguments.length; i++) {
      if (!(arguments[i] instanceof Value.Text(String phrase))) {
        return Value.UNDEFINED;
      }
      boolean there = count(words, words(phrase, work), work) > 0;
      found = all ? found && there : found || there;
    }
    return Value.of(found);
  }
}
