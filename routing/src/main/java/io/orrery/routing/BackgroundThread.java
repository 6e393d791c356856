package io.orrery.routing;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Long work that nobody waits for, on a thread of its own: on a virtual one it would keep a carrier
 * from the requests. Where the system allows it, requests also get the processor before it.
 */
final class BackgroundThread {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundThread.class);

  /** A tenth of what a thread of the requests gets where there is not enough for both. */
  private static final int NICENESS = 10;

  private static final int PRIO_PROCESS = 0;
  private static final int CALLING_THREAD = 0;

  private BackgroundThread() {}

  /** Blocks until it is done; throws what it throws. */
  static void run(String name, Runnable work) {
    var task =
        new FutureTask<>(
            () -> {
              stepBack();
              work.run();
            },
            null);
    Thread thread = Thread.ofPlatform().name(name).start(task);
    try {
      task.get();
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
      throw new ServerStops();
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw new CompletionException(e);
      }
    }
  }

  /**
   * Java's own priorities do nothing on Linux. There a call that elsewhere is about the process is
   * about the thread.
   */
  @SuppressWarnings("restricted") // native access is granted where the server is started
  private static void stepBack() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return;
    }
    try {
      Linker linker = Linker.nativeLinker();
      var signature =
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT);
      var setPriority =
          linker.downcallHandle(linker.defaultLookup().findOrThrow("setpriority"), signature);
      int failed = (int) setPriority.invokeExact(PRIO_PROCESS, CALLING_THREAD, NICENESS);
      LOG.debug("Stepping back for requests: {}", failed == 0);
    } catch (Throwable e) {
      LOG.debug("Background work runs like any other", e);
    }
  }
}
