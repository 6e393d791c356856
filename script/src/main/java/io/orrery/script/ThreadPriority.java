package io.orrery.script;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets the threads that serve requests have the processor first, where the system allows it. */
public final class ThreadPriority {
  private static final Logger LOG = LoggerFactory.getLogger(ThreadPriority.class);

  /** A tenth of what a thread of the requests gets where there is not enough for both. */
  private static final int NICENESS = 10;

  private static final int PRIO_PROCESS = 0;
  private static final int CALLING_THREAD = 0;

  private ThreadPriority() {}

  /**
   * The calling thread, for the rest of its life. Java's own priorities do nothing on Linux. There
   * a call that elsewhere is about the process is about the thread.
   */
  @SuppressWarnings("restricted") // native access is granted where the server is started
  public static void stepBack() {
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
