package io.orrery.script.child;

import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import java.util.LinkedHashMap;
import java.util.Map;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * Makes functions of texts. A text is a function expression, or a program whose first function is
 * meant; which of the two is found out once, and the engine keeps what it parsed as long as the
 * source is kept here.
 */
final class Compiled {
  /**
   * What a unit of text takes of the heap at most, with room for all else beside it: parsed code
   * has 30 bytes for each unit, and 280 where it is dense, as {@code [class{},class{}]} is.
   */
  private static final int HEAP_BYTES_PER_UNIT = 2_048;

  private final long keptUnitsMax;

  /** The one that was not asked for the longest comes first. */
  private final Map<ScriptText, Source> sources = new LinkedHashMap<>(16, 0.75f, true);

  private int keptUnits;

  /** Of texts that were evicted since {@link #release}. */
  private long evictedUnits;

  /**
   * @param heapBytes that scripts have, of which parsed texts may take a part
   */
  Compiled(long heapBytes) {
    keptUnitsMax = heapBytes / HEAP_BYTES_PER_UNIT;
  }

  /**
   * The function of a text, in the realm.
   *
   * @throws ScriptRefused when it is none
   */
  Value function(ScriptText script, Realm realm) {
    Value function = realm.eval(source(script, realm));
    if (!function.canExecute()) {
      throw new ScriptRefused(
          ScriptRefused.Reason.DOES_NOT_COMPILE,
          "The script '" + script.id() + "' is not a function");
    }
    return function;
  }

  private Source source(ScriptText script, Realm realm) {
    Source known = sources.get(script);
    if (known != null) {
      return known;
    }
    Source made = parsed(script, realm);
    sources.put(script, made);
    keptUnits += script.body().length();
    var eldest = sources.keySet().iterator();
    while (keptUnits > keptUnitsMax && sources.size() > 1) {
      int units = eldest.next().body().length();
      keptUnits -= units;
      evictedUnits += units;
      eldest.remove();
    }
    return made;
  }

  /**
   * Collects once as much text was evicted as is kept. The engine learns from a full collection
   * which texts are gone, forgets what it parsed of them with the next text, and only then can that
   * be collected: without this the first full collection finds the heap full of evicted texts, and
   * {@link HeapGuard} ends the process.
   */
  void release() {
    if (evictedUnits > keptUnitsMax) {
      evictedUnits = 0;
      System.gc();
    }
  }

  /** How much text is kept, in units of UTF-16. */
  int keptUnits() {
    return keptUnits;
  }

  private static Source parsed(ScriptText script, Realm realm) {
    Source expression = named(script, "(" + trimmed(script.body()) + "\n)");
    try {
      var _ = realm.context().parse(expression);
      return expression;
    } catch (PolyglotException e) {
      String first = e.isSyntaxError() ? FirstFunction.nameIn(script.body()) : null;
      if (first == null) {
        throw e;
      }
      Source program =
          named(script, "(function () {" + script.body() + "\nreturn " + first + ";\n})()");
      var _ = realm.context().parse(program);
      return program;
    }
  }

  /** Without what may follow a function: an expression has no semicolon at its end. */
  private static String trimmed(String body) {
    int end = body.length();
    while (end > 0 && (body.charAt(end - 1) == ';' || isBlank(body.charAt(end - 1)))) {
      end--;
    }
    return body.substring(0, end);
  }

  private static boolean isBlank(char unit) {
    return unit == ' ' || (unit >= '\t' && unit <= '\r');
  }

  private static Source named(ScriptText script, String text) {
    return Source.newBuilder("js", text, script.id() + ".js").buildLiteral();
  }
}
