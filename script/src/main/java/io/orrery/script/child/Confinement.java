package io.orrery.script.child;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.EnumSet;
import java.util.Set;

/**
 * Takes from the process what it never needs, for the day on which code finds a way out of the
 * sandbox: no connections, no programs, no signals to others, nothing written to a file. A filter
 * of Linux (seccomp) for all threads of the process; elsewhere nothing happens.
 */
final class Confinement {
  // Arguments of seccomp and prctl.
  private static final long SET_FILTER = 1;
  private static final long ALL_THREADS = 1;
  private static final long NO_NEW_PRIVILEGES = 38;
  private static final long SET_DUMPABLE = 4;

  /** Flags of open: to write, to read and write, to create, to truncate. */
  private static final int WRITES = 0x1 | 0x2 | 0x40 | 0x200;

  /** Flag of clone: a thread of this process, not a process. */
  private static final int THREAD = 0x10000;

  private static final int CALLING_PROCESS = 0;

  /**
   * Commands of fcntl: copies of descriptors and their flags. Others lock files, or have signals
   * sent to another process.
   */
  private static final int[] DESCRIPTOR_COMMANDS = {0, 1, 2, 3, 4, 1030};

  /** Command of ioctl: how much there is to read. Others type into the terminal, for example. */
  private static final int READABLE_BYTES = 0x541b;

  /** Those that are needed, with some arguments at least. */
  private static final Set<SystemCall> NEEDED =
      EnumSet.of(
          SystemCall.OPEN,
          SystemCall.OPENAT,
          SystemCall.CLONE,
          SystemCall.TGKILL,
          SystemCall.PRLIMIT64,
          SystemCall.FCNTL,
          SystemCall.IOCTL,
          SystemCall.PRCTL,
          SystemCall.SECCOMP);

  private Confinement() {}

  /** From here on, for the rest of the process. Best effort: the sandbox stands without it. */
  static void begin() {
    SystemCall.Machine machine = SystemCall.Machine.current();
    if (machine == null) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle call = systemCall();
      long prctl = SystemCall.PRCTL.number(machine);
      // Other processes of the same user, as those for scripts are, do not read its memory.
      require((long) call.invokeExact(prctl, SET_DUMPABLE, 0L, 0L, 0L, 0L));
      require((long) call.invokeExact(prctl, NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L));
      long seccomp = SystemCall.SECCOMP.number(machine);
      MemorySegment filter = program(machine).written(arena);
      require((long) call.invokeExact(seccomp, SET_FILTER, ALL_THREADS, filter.address(), 0L, 0L));
    } catch (Throwable e) {
      System.err.println("orrery: a process for scripts is not confined: " + e);
    }
  }

  private static void require(long result) {
    if (result != 0) {
      throw new IllegalStateException("The kernel refused to confine the process: " + result);
    }
  }

  private static FilterProgram program(SystemCall.Machine machine) {
    var program = new FilterProgram(machine);
    // Among them clone3, of which C libraries make a clone then; its flags cannot be looked at.
    program.hideFrom(machine.newer());
    program.refuseBits(SystemCall.OPEN, 1, WRITES);
    program.refuseBits(SystemCall.OPENAT, 2, WRITES);
    program.requireBits(SystemCall.CLONE, 0, THREAD);
    program.requireOneOf(SystemCall.TGKILL, 0, (int) ProcessHandle.current().pid());
    program.requireOneOf(SystemCall.PRLIMIT64, 0, CALLING_PROCESS);
    program.requireOneOf(SystemCall.FCNTL, 1, DESCRIPTOR_COMMANDS);
    program.requireOneOf(SystemCall.IOCTL, 1, READABLE_BYTES);
    EnumSet.complementOf(EnumSet.copyOf(NEEDED)).forEach(program::refuse);
    return program;
  }

  /** With all arguments: prctl refuses those that it does not know unless they are zero. */
  @SuppressWarnings("restricted") // native access is granted where the process is started
  private static MethodHandle systemCall() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG),
        Linker.Option.firstVariadicArg(1));
  }
}
