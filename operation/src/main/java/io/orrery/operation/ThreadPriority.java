package io.orrery.operation;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Lets the threads that serve requests have the processor first, where the system allows it. */
public final class ThreadPriority {
  /** A tenth of what a thread of the requests gets where there is not enough for both. */
  private static final int NICENESS = 10;

  /**
   * Since Linux 6.12 a thread that wakes up takes the processor at once from one with longer slices
   * than its own, and else only when the other's slice of 3 ms is over. This is the longest.
   */
  private static final long SLICE_NANOS = 100_000_000;

  private static final long CALLING_THREAD = 0;

  private ThreadPriority() {}

  /** The calling thread, for the rest of its life. Java's own priorities do nothing on Linux. */
  public static void stepBack() {
    long call = setAttributesNumber();
    if (call == 0) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      setAttributes(call, attributes(arena));
    } catch (Throwable e) {
      // A system that refuses the call runs the thread like any other.
    }
  }

  /** C libraries have no name for the call yet; 0 where it is not known. */
  private static long setAttributesNumber() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return 0;
    }
    return switch (System.getProperty("os.arch")) {
      case "amd64" -> 314;
      case "aarch64" -> 274;
      default -> 0;
    };
  }

  /** Linux' {@code struct sched_attr} for the usual policy. */
  private static MemorySegment attributes(Arena arena) {
    MemoryLayout layout =
        MemoryLayout.structLayout(
            ValueLayout.JAVA_INT.withName("size"),
            ValueLayout.JAVA_INT.withName("policy"),
            ValueLayout.JAVA_LONG.withName("flags"),
            ValueLayout.JAVA_INT.withName("nice"),
            ValueLayout.JAVA_INT.withName("priority"),
            ValueLayout.JAVA_LONG.withName("runtime"),
            ValueLayout.JAVA_LONG.withName("deadline"),
            ValueLayout.JAVA_LONG.withName("period"));
    MemorySegment attributes = arena.allocate(layout);
    attributes.set(ValueLayout.JAVA_INT, offset(layout, "size"), (int) layout.byteSize());
    attributes.set(ValueLayout.JAVA_INT, offset(layout, "nice"), NICENESS);
    attributes.set(ValueLayout.JAVA_LONG, offset(layout, "runtime"), SLICE_NANOS);
    return attributes;
  }

  private static long offset(MemoryLayout layout, String name) {
    return layout.byteOffset(MemoryLayout.PathElement.groupElement(name));
  }

  @SuppressWarnings("restricted") // native access is granted where the server is started
  private static long setAttributes(long call, MemorySegment attributes) throws Throwable {
    Linker linker = Linker.nativeLinker();
    var signature =
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.ADDRESS,
            ValueLayout.JAVA_LONG);
    var handle =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("syscall"),
            signature,
            Linker.Option.firstVariadicArg(1));
    return (long) handle.invokeExact(call, CALLING_THREAD, attributes, 0L);
  }
}
