package io.orrery.operation;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The processor time of the calling platform thread; of a virtual thread it is the carrier's, which
 * is the same thing as long as the virtual thread does not wait in between. A call costs a fraction
 * of a microsecond; the JDK's own way costs several times as much and refuses virtual threads.
 */
public final class ProcessorTime {
  /** Linux' CLOCK_THREAD_CPUTIME_ID. */
  private static final int THREAD_CLOCK = 3;

  private static final Optional<MethodHandle> CLOCK = clock();

  private ProcessorTime() {}

  /** In nanoseconds; the wall clock where the system has no such clock. */
  public static long nanos() {
    if (CLOCK.isEmpty()) {
      return System.nanoTime();
    }
    try {
      var time = new long[2];
      int failed = (int) CLOCK.get().invokeExact(THREAD_CLOCK, MemorySegment.ofArray(time));
      return failed == 0 ? time[0] * 1_000_000_000L + time[1] : System.nanoTime();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("restricted") // native access is granted where the server is started
  private static Optional<MethodHandle> clock() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.empty();
    }
    Linker linker = Linker.nativeLinker();
    var signature =
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS);
    return linker
        .defaultLookup()
        .find("clock_gettime")
        .map(at -> linker.downcallHandle(at, signature, Linker.Option.critical(true)));
  }
}
