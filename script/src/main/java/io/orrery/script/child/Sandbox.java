package io.orrery.script.child;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.EnvironmentAccess;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Instrument;
import org.graalvm.polyglot.PolyglotAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;

/**
 * Makes contexts in which code of users can do nothing but compute. One engine for all of them, so
 * that a text is parsed once; made with the first context. Nobody closes it: that would wait for
 * code that cannot be stopped, and whoever ends the process would wait with it.
 */
final class Sandbox {
  /** Longer than an item or a request can be. */
  private static final int TEXT_UNITS_MAX = 8 << 20;

  private static final int TYPED_ARRAY_MAX = 8 << 20;

  /**
   * Off is what reaches out of the script, what can make code of texts, and what cannot be stopped
   * once it runs: arithmetic on integers without bounds.
   */
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("js.ecmascript-version", "2023"),
          Map.entry("js.allow-eval", "false"),
          Map.entry("js.bigint", "false"),
          Map.entry("js.intl-402", "false"),
          Map.entry("js.shared-array-buffer", "false"),
          Map.entry("js.atomics", "false"),
          Map.entry("js.webassembly", "false"),
          Map.entry("js.console", "false"),
          Map.entry("js.print", "false"),
          Map.entry("js.load", "false"),
          Map.entry("js.performance", "false"),
          Map.entry("js.polyglot-builtin", "false"),
          Map.entry("js.graal-builtin", "false"),
          Map.entry("js.java-package-globals", "false"),
          Map.entry("js.global-arguments", "false"),
          Map.entry("js.unhandled-rejections", "throw"),
          Map.entry("js.string-length-limit", Integer.toString(TEXT_UNITS_MAX)),
          Map.entry("js.max-typed-array-length", Integer.toString(TYPED_ARRAY_MAX)));

  private static final Source PRELUDE = resource("sandbox.js");

  private final Engine engine =
      Engine.newBuilder("js")
          .option("engine.WarnInterpreterOnly", "false")
          .out(OutputStream.nullOutputStream())
          .err(OutputStream.nullOutputStream())
          .in(InputStream.nullInputStream())
          .build();

  private final GuestObjects objects = new GuestObjects();

  Sandbox() {
    Instrument polling = engine.getInstruments().get(CallPolling.ID);
    // Looking it up switches it on.
    if (polling == null || polling.lookup(CallPolling.class) == null) {
      throw new IllegalStateException("Scripts cannot be stopped at calls");
    }
  }

  /** For all contexts made here. */
  GuestObjects objects() {
    return objects;
  }

  /** A context of its own; the caller closes it. */
  Realm open() {
    Context context =
        Context.newBuilder("js")
            .engine(engine)
            .allowExperimentalOptions(true)
            .options(OPTIONS)
            .allowHostAccess(HostAccess.NONE)
            .allowHostClassLookup(name -> false)
            .allowHostClassLoading(false)
            .allowPolyglotAccess(PolyglotAccess.NONE)
            .allowIO(IOAccess.NONE)
            .allowCreateThread(false)
            .allowCreateProcess(false)
            .allowNativeAccess(false)
            .allowInnerContextOptions(false)
            .allowValueSharing(false)
            .allowEnvironmentAccess(EnvironmentAccess.NONE)
            .build();
    return new Realm(context, context.eval(PRELUDE).execute());
  }

  /** A text of our own; its frames are not shown in stack traces. */
  static Source resource(String name) {
    try (InputStream in = Sandbox.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Missing resource " + name);
      }
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return Source.newBuilder("js", text, name).internal(true).buildLiteral();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
