package io.orrery.script;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Runs scripts of users within bounds. Costs nothing until the first one. */
public final class ScriptHost implements AutoCloseable {
  private final ScriptSettings settings;
  private final ScriptThreads threads;
  private final Compiled compiled = new Compiled();

  /** Guarded by this. */
  private @Nullable Sandbox sandbox;

  public ScriptHost(ScriptSettings settings) {
    this.settings = settings;
    threads = new ScriptThreads(settings);
  }

  /** Loads what the first script of a process would wait for, a second or more; blocks. */
  public static void warmUp() {
    new Sandbox().open().close();
  }

  /**
   * Does work that runs scripts on a thread made for them; blocks.
   *
   * @throws ScriptRefused when too many others run and wait
   */
  public <T> T inTurn(Callable<T> work) {
    return inTurn(Duration.ZERO, work);
  }

  /**
   * The same, where the storage may be away for a while.
   *
   * @param patience how long the work may wait for its turn and for its documents without that
   *     being time of its scripts
   */
  public <T> T inTurn(Duration patience, Callable<T> work) {
    return threads.run(patience, work);
  }

  /**
   * Runs a script to its end in a context of its own; only {@link #inTurn}.
   *
   * @throws ScriptRefused when it does not come to its end
   */
  public ScriptAnswer run(ScriptText script, ScriptCall call, Documents documents) {
    Watch watch = watch();
    Realm realm = sandbox().open();
    watch.add(realm);
    try {
      return new ScriptRun(call, documents, settings, watch).run(script, compiled, realm);
    } finally {
      if (watch.remove(realm)) {
        realm.close();
      }
    }
  }

  /**
   * The functions of one query while it runs.
   *
   * @param texts finds a function by its name; null when there is none
   */
  public ScriptFunctions functions(Function<String, @Nullable ScriptText> texts) {
    return new ScriptFunctions(this, compiled, texts);
  }

  /** How many threads hang in code that cannot be stopped. */
  public int lostThreads() {
    return threads.lost();
  }

  static Watch watch() {
    Watch watch = Watch.current();
    if (watch == null) {
      throw new IllegalStateException("Scripts run on threads of their own");
    }
    return watch;
  }

  synchronized Sandbox sandbox() {
    if (sandbox == null) {
      var made = new Sandbox();
      // The first context takes a second or more: none of the time that the first script has.
      made.open().close();
      sandbox = made;
    }
    return sandbox;
  }

  @Override
  public void close() {
    threads.close();
  }
}
