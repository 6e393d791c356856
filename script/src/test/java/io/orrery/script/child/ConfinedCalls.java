package io.orrery.script.child;

import io.orrery.script.channel.ExitCode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * Code that found a way out of the sandbox: a confined process that makes system calls of all
 * kinds, prints those that are not answered as they should be, and "done" in the end.
 */
public final class ConfinedCalls {
  private static final long NOT_PERMITTED = -1;
  private static final long NO_SUCH_CALL = -38;
  private static final int UPROBE = 336;
  private static final int X32 = 0x40000000;

  // Flags of open.
  private static final long READ = 0;
  private static final long WRITE = 0x1;
  private static final long READ_AND_WRITE = 0x2;
  private static final long CREATE = 0x40;
  private static final long TRUNCATE = 0x200;
  private static final long HERE = -100;

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERROR =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  /** Those that are allowed with some arguments; each is tried by itself. */
  private static final Set<SystemCall> BY_ARGUMENT =
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

  private final SystemCall.Machine machine;
  private final MethodHandle call = systemCall();
  private final Arena arena = Arena.ofShared();
  private final MemorySegment state = arena.allocate(STATE);
  private final long self = ProcessHandle.current().pid();
  private final long server = ProcessHandle.current().parent().orElseThrow().pid();

  private ConfinedCalls(SystemCall.Machine machine) {
    this.machine = machine;
  }

  /**
   * Makes the calls.
   *
   * @param arguments a folder with a file {@code there}; or none, to try the calls of another
   *     machine, which end the process where the kernel was built without them
   */
  public static void main(String[] arguments) throws Throwable {
    var calls = new ConfinedCalls(Objects.requireNonNull(SystemCall.Machine.current()));
    if (arguments.length == 0) {
      int result = calls.processIdByOldNumbers(Confinement::begin);
      System.out.println(result == NOT_PERMITTED ? "done" : "int 0x80 gave " + result);
      return;
    }
    Path folder = Path.of(arguments[0]);
    Confinement.begin();
    calls.neverNeeded();
    calls.newer();
    calls.files(folder);
    calls.others();
    calls.descriptors();
    calls.ofJava(folder);
    System.out.println("done");
  }

  /**
   * With arguments that hardly a call takes, for the case that it is made after all. Whoever comes
   * back from a call that was made ends, because it may be a process more.
   */
  private void neverNeeded() throws Throwable {
    for (SystemCall one : EnumSet.complementOf(EnumSet.copyOf(BY_ARGUMENT))) {
      if (one.number(machine) >= 0) {
        long result = result(one.number(machine), -1, -1, -1, -1, -1);
        if (result >= 0) {
          throw new IllegalStateException(one + " was made, in process " + self);
        }
        expect(NOT_PERMITTED, one.name(), result);
      }
    }
  }

  /**
   * From pidfd_send_signal, io_uring, pidfd_open, clone3, openat2 and pidfd_getfd on. Linux lets
   * the two of user probes through whatever a filter says, and ends a process that makes them.
   */
  private void newer() throws Throwable {
    int first = machine == SystemCall.Machine.AMD64 ? UPROBE + 1 : machine.newer();
    for (int number = first; number < machine.newer() + 200; number++) {
      expect(NO_SUCH_CALL, "call " + number, result(number, -1, -1, -1, -1, -1));
    }
    expect(NO_SUCH_CALL, "getpid of x32", result(X32 | 39, 0, 0, 0, 0, 0));
  }

  private void files(Path folder) throws Throwable {
    MemorySegment there = arena.allocateFrom(folder.resolve("there").toString());
    MemorySegment another = arena.allocateFrom(folder.resolve("another").toString());
    for (long flags :
        new long[] {WRITE, READ_AND_WRITE, CREATE, TRUNCATE, WRITE | CREATE, READ | TRUNCATE}) {
      for (MemorySegment name : new MemorySegment[] {there, another}) {
        expect(NOT_PERMITTED, "openat " + flags, openAt(name, flags));
        if (SystemCall.OPEN.number(machine) >= 0) {
          expect(NOT_PERMITTED, "open " + flags, open(name, flags));
        }
      }
    }
    expectNone("openat to read", openAt(there, READ));
    if (SystemCall.OPEN.number(machine) >= 0) {
      expectNone("open to read", open(there, READ));
    }
  }

  private long open(MemorySegment name, long flags) throws Throwable {
    return result(SystemCall.OPEN.number(machine), name.address(), flags, 0600, 0, 0);
  }

  private long openAt(MemorySegment name, long flags) throws Throwable {
    return result(SystemCall.OPENAT.number(machine), HERE, name.address(), flags, 0600, 0);
  }

  /** What acts on the server, and on the process itself by the same calls. */
  private void others() throws Throwable {
    int signal = SystemCall.TGKILL.number(machine);
    expect(NOT_PERMITTED, "tgkill of the server", result(signal, server, server, 0, 0, 0));
    expect(0, "tgkill of itself", result(signal, self, self, 0, 0, 0));
    int bound = SystemCall.PRLIMIT64.number(machine);
    expect(NOT_PERMITTED, "prlimit64 of the server", result(bound, server, 7, 0, 0, 0));
    expect(0, "prlimit64 of itself", result(bound, 0, 7, 0, 0, 0));
    // Handlers of signals are shared, memory is not: the kernel itself does not take that.
    expect(
        NOT_PERMITTED,
        "clone of a process",
        result(SystemCall.CLONE.number(machine), 0x800, 0, 0, 0, 0));
    expect(0, "is dumpable", result(SystemCall.PRCTL.number(machine), 3, 0, 0, 0, 0));
  }

  /** Of standard input, which is a pipe. */
  private void descriptors() throws Throwable {
    int control = SystemCall.FCNTL.number(machine);
    int device = SystemCall.IOCTL.number(machine);
    MemorySegment room = arena.allocate(64);
    expect(NOT_PERMITTED, "signals to the server", result(control, 0, 8, server, 0, 0));
    expect(NOT_PERMITTED, "another signal", result(control, 0, 10, 9, 0, 0));
    expect(NOT_PERMITTED, "a lock", result(control, 0, 6, -1, 0, 0));
    expect(NOT_PERMITTED, "a lease", result(control, 0, 1024, 0, 0, 0));
    expectNone("flags of a descriptor", result(control, 0, 1, 0, 0, 0));
    expect(NOT_PERMITTED, "typing", result(device, 0, 0x5412, room.address(), 0, 0));
    expect(0, "what can be read", result(device, 0, 0x541b, room.address(), 0, 0));
  }

  /** By the means of the JDK, and what the JVM itself needs. */
  private void ofJava(Path folder) throws Exception {
    refused("a program", () -> new ProcessBuilder("true").start());
    refused("a socket", () -> new ServerSocket(0));
    refused("a file", () -> Files.writeString(folder.resolve("another"), "x"));
    refused("a deleted file", () -> Files.deleteIfExists(folder.resolve("there")));
    var thread = Thread.ofPlatform().start(System::gc);
    thread.join();
    Thread.ofVirtual().start(ConfinedCalls::compiled).join();
    expect(3, "a class of the class path", ExitCode.OUT_OF_MEMORY);
    expect(5, "a file that is read", Files.readString(folder.resolve("there")).length());
  }

  /** Long enough for the compilers to have their turn. */
  private static void compiled() {
    long sum = 0;
    for (int i = 0; i < 20_000_000; i++) {
      sum += Integer.toString(i & 7).hashCode();
    }
    expect(1, "a sum", Long.signum(sum));
  }

  private static void refused(String name, Callable<?> action) throws Exception {
    try {
      System.out.println(name + ": " + action.call());
    } catch (IOException | ExceptionInInitializerError e) {
      // As it should be; classes for sockets cannot even be loaded.
    }
  }

  /** Asks for the process's own id as 32-bit programs do; negative for an error. */
  @SuppressWarnings("restricted")
  private int processIdByOldNumbers(Runnable confine) throws Exception {
    try {
      long page = result(9, 0, 4096, 7, 0x22, -1);
      MemorySegment code = MemorySegment.ofAddress(page).reinterpret(4096);
      // mov eax, 20; int 0x80; ret
      byte[] instructions = {(byte) 0xb8, 20, 0, 0, 0, (byte) 0xcd, (byte) 0x80, (byte) 0xc3};
      MemorySegment.copy(instructions, 0, code, ValueLayout.JAVA_BYTE, 0, instructions.length);
      MethodHandle ask =
          Linker.nativeLinker().downcallHandle(code, FunctionDescriptor.of(ValueLayout.JAVA_INT));
      confine.run();
      return (int) ask.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static void expect(long expected, String name, long found) {
    if (found != expected) {
      System.out.println(name + " gave " + found + " instead of " + expected);
    }
  }

  private static void expectNone(String name, long found) {
    if (found < 0) {
      System.out.println(name + " gave the error " + -found);
    }
  }

  /** What the kernel answers: errors are negative. */
  private long result(int number, long a, long b, long c, long d, long e) throws Throwable {
    long result = (long) call.invokeExact(state, (long) number, a, b, c, d, e, 0L);
    return result == -1 ? -(int) ERROR.get(state, 0L) : result;
  }

  @SuppressWarnings("restricted")
  private static MethodHandle systemCall() {
    Linker linker = Linker.nativeLinker();
    var word = ValueLayout.JAVA_LONG;
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        FunctionDescriptor.of(word, word, word, word, word, word, word, word),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }
}
