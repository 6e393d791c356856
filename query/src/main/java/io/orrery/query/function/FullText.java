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
          strict("FULLTEXTCONTAINSANY", 2, UNBOUNDED, a -> contains(a, false)));

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
