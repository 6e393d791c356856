package io.orrery.script;

import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The user-defined functions of one query. Each thread that works for the query has a context of
 * its own, kept until the query is closed: what functions leave in their globals never meets
 * another query.
 */
public final class ScriptFunctions implements AutoCloseable {
  /** Where the calling thread is at work; a query inside of a script may be another one's. */
  private static final ThreadLocal<@Nullable Room> PRESENT = new ThreadLocal<>();

  private final ScriptHost host;
  private final Compiled compiled;
  private final Function<String, @Nullable ScriptText> texts;

  /** Guarded by this. */
  private final Deque<Room> idle = new ArrayDeque<>();

  private boolean closed;

  ScriptFunctions(
      ScriptHost host, Compiled compiled, Function<String, @Nullable ScriptText> texts) {
    this.host = host;
    this.compiled = compiled;
    this.texts = texts;
  }

  /**
   * Does work that calls functions often, on a thread for scripts; blocks.
   *
   * @throws ScriptRefused when a function fails, or there is no place
   */
  public <T> T inTurn(Callable<T> work) {
    return host.inTurn(
        () -> {
          Watch watch = ScriptHost.watch();
          Room room = take();
          watch.add(room.realm);
          room.realm.context().enter();
          Room before = PRESENT.get();
          PRESENT.set(room);
          try {
            return work.call();
          } finally {
            PRESENT.set(before);
            leave(room);
            if (watch.remove(room.realm)) {
              putBack(room);
            }
          }
        });
  }

  private static void leave(Room room) {
    try {
      room.realm.context().leave();
    } catch (IllegalStateException e) {
      // Closed by the watchdog in the meantime.
    }
  }

  /**
   * What a function makes of values.
   *
   * @throws ScriptRefused when it does not exist, or fails
   */
  public Value call(String name, List<Value> arguments) {
    Room room = PRESENT.get();
    return room == null || room.owner() != this
        ? inTurn(() -> call(name, arguments))
        : room.call(name, arguments, ScriptHost.watch());
  }

  private Room take() {
    synchronized (this) {
      Room room = idle.pollLast();
      if (room != null) {
        return room;
      }
    }
    Sandbox sandbox = host.sandbox();
    return new Room(sandbox.open(), sandbox.objects());
  }

  private void putBack(Room room) {
    synchronized (this) {
      if (!closed) {
        idle.addLast(room);
        return;
      }
    }
    room.realm.close();
  }

  @Override
  public void close() {
    Deque<Room> rooms;
    synchronized (this) {
      closed = true;
      rooms = new ArrayDeque<>(idle);
      idle.clear();
    }
    rooms.forEach(room -> room.realm.close());
  }

  /** A context with the functions that were called in it so far. */
  private final class Room {
    private final Realm realm;
    private final GuestObjects objects;
    private final org.graalvm.polyglot.Value undefined;
    private final Map<String, org.graalvm.polyglot.Value> functions = new HashMap<>();

    Room(Realm realm, GuestObjects objects) {
      this.realm = realm;
      this.objects = objects;
      undefined = realm.undefined();
    }

    ScriptFunctions owner() {
      return ScriptFunctions.this;
    }

    Value call(String name, List<Value> arguments, Watch watch) {
      watch.begin();
      try {
        org.graalvm.polyglot.Value function = functions.get(name);
        if (function == null) {
          function = compiled.function(known(name), realm);
          functions.put(name, function);
        }
        return value(function.execute(given(arguments)));
      } catch (ScriptRefused e) {
        throw e;
      } catch (RuntimeException | Error e) {
        throw realm.refusal(e, watch);
      } finally {
        watch.end();
      }
    }

    private ScriptText known(String name) {
      ScriptText text = texts.apply(name);
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

    private Value value(org.graalvm.polyglot.Value result) {
      if (result.isBoolean()) {
        return Value.of(result.asBoolean());
      }
      if (result.isNumber()) {
        double number = result.asDouble();
        return Double.isFinite(number) ? Value.of(number) : Value.UNDEFINED;
      }
      if (result.isString()) {
        return text(result.asString());
      }
      org.graalvm.polyglot.Value json = realm.written(result);
      if (!json.isString()) {
        return Value.UNDEFINED;
      }
      try {
        return Json.parse(json.asString());
      } catch (MalformedBody e) {
        throw noJson(String.valueOf(e.getMessage()));
      }
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
}
