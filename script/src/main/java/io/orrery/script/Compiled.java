package io.orrery.script;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;

/**
 * Makes functions of texts. A text is a function expression, or a program whose first function is
 * meant; which of the two is found out once, and the engine keeps what it parsed as long as the
 * source is kept here.
 */
final class Compiled {
  private static final int KEPT_MAX = 1_000;
  private static final Pattern FIRST_FUNCTION =
      Pattern.compile(
          "(?:\\s|//[^\\n]*+(?:\\n|$)|/\\*(?s:.*?)\\*/|;|['\"]use strict['\"])*+"
              + "(?:async\\s+)?function\\s*([\\p{L}_$][\\p{L}\\p{N}_$]*)");
  private static final Pattern ENDS = Pattern.compile("[;\\s]+$");

  private final Map<ScriptText, Source> sources =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ScriptText, Source> eldest) {
          return size() > KEPT_MAX;
        }
      };

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
    synchronized (sources) {
      Source known = sources.get(script);
      if (known != null) {
        return known;
      }
    }
    Source made = parsed(script, realm);
    synchronized (sources) {
      sources.put(script, made);
    }
    return made;
  }

  private static Source parsed(ScriptText script, Realm realm) {
    Source expression = named(script, "(" + trimmed(script.body()) + "\n)");
    try {
      var _ = realm.context().parse(expression);
      return expression;
    } catch (PolyglotException e) {
      Matcher first = FIRST_FUNCTION.matcher(script.body());
      if (!e.isSyntaxError() || !first.lookingAt()) {
        throw e;
      }
      Source program =
          named(
              script, "(function () {" + script.body() + "\nreturn " + first.group(1) + ";\n})()");
      var _ = realm.context().parse(program);
      return program;
    }
  }

  private static String trimmed(String body) {
    return ENDS.matcher(body).replaceFirst("");
  }

  private static Source named(ScriptText script, String text) {
    return Source.newBuilder("js", text, script.id() + ".js").buildLiteral();
  }
}
