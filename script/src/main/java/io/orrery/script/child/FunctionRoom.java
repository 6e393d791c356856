package io.orrery.script.child;

import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A context with the functions that were called in it so far. */
final class FunctionRoom {
  private final Realm realm;
  private final GuestObjects objects;
  private final Compiled compiled;
  private final int charsMax;
  private final org.graalvm.polyglot.Value undefined;
  private final Map<String, org.graalvm.polyglot.Value> functions = new HashMap<>();

  /**
   * What a call gave.
   *
   * @param chars about how long it is as text
   */
  record Given(Value value, int chars) {}

  /**
   * @param charsMax of what one call may give
   */
  FunctionRoom(Realm realm, GuestObjects objects, Compiled compiled, int charsMax) {
    this.realm = realm;
    this.objects = objects;
    this.compiled = compiled;
    this.charsMax = charsMax;
    undefined = realm.undefined();
  }

  Realm realm() {
    return realm;
  }

  /**
   * What a function makes of values; in the realm's context.
   *
   * @throws ScriptRefused when it fails
   */
  Given call(String name, List<Value> arguments, Map<String, ScriptText> texts, Watch watch) {
    watch.begin();
    try {
      org.graalvm.polyglot.Value function = functions.get(name);
      if (function == null) {
        function = compiled.function(known(name, texts), realm);
        functions.put(name, function);
      }
      return given(function.execute(given(arguments)));
    } catch (ScriptRefused e) {
      throw e;
    } catch (RuntimeException | Error e) {
      throw realm.refusal(e, watch);
    } finally {
      watch.end();
    }
  }

  private static ScriptText known(String name, Map<String, ScriptText> texts) {
    ScriptText text = texts.get(name);
    if (text == null) {
      throw new ScriptRefused(
          ScriptRefused.Reason.FAILED,
          "The user defined function '" + name + "' does not exist; create it in the container");
    }
    return text;
  }

  private Object[] given(List<Value> arguments) {
    var given = new Object[arguments.size()];
    for (int i = 0; i < given.length; i++) {
      given[i] = given(arguments.get(i));
    }
    return given;
  }

  private @Nullable Object given(Value argument) {
    return switch (argument) {
      case Value.Undefined _ -> undefined;
      case Value.Null _ -> null;
      case Value.Bool bool -> bool == Value.Bool.TRUE;
      case Value.Int64(long number) when number == (int) number -> (int) number;
      case Value.Num number -> number.asDouble();
      case Value.Text(String text) -> text;
      case Value.Arr _ -> parsed(argument);
      case Value.Obj object -> {
        Object made = objects.of(object);
        yield made == null ? parsed(object) : made;
      }
    };
  }

  private Object parsed(Value argument) {
    return realm.parsed(new String(Json.write(argument), StandardCharsets.UTF_8));
  }

  private Given given(org.graalvm.polyglot.Value result) {
    if (result.isBoolean()) {
      return small(Value.of(result.asBoolean()));
    }
    if (result.isNumber()) {
      double number = result.asDouble();
      return small(Double.isFinite(number) ? Value.of(number) : Value.UNDEFINED);
    }
    if (result.isString()) {
      String text = bounded(result);
      return new Given(text(text), text.length());
    }
    org.graalvm.polyglot.Value json = realm.written(result);
    if (!json.isString()) {
      return small(Value.UNDEFINED);
    }
    String text = bounded(json);
    try {
      return new Given(Json.parse(text), text.length());
    } catch (MalformedBody e) {
      throw noJson(String.valueOf(e.getMessage()));
    }
  }

  private static Given small(Value value) {
    return new Given(value, 0);
  }

  private String bounded(org.graalvm.polyglot.Value result) {
    String text = result.asString();
    if (text.length() > charsMax) {
      throw new ScriptRefused(
          ScriptRefused.Reason.TOO_LARGE,
          "A function gave "
              + text.length()
              + " characters, more than the "
              + charsMax
              + " that one call may give; let it give less");
    }
    return text;
  }

  private Value text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char unit = text.charAt(i);
      if (Character.isSurrogate(unit)) {
        if (Character.isLowSurrogate(unit)
            || ++i == text.length()
            || !Character.isLowSurrogate(text.charAt(i))) {
          throw noJson("Unpaired surrogate");
        }
      }
    }
    return Value.of(text);
  }

  private ScriptRefused noJson(String why) {
    return new ScriptRefused(
        ScriptRefused.Reason.FAILED, "A function gave what is no JSON: " + why);
  }
}
