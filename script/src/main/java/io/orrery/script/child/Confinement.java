package io.orrery.script.child;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Takes from the process what it never needs, for the day on which code finds a way out of the
 * sandbox: no connections, no programs, no signals to others, nothing written to a file. A filter
 * of Linux (seccomp) for all threads of the process; elsewhere nothing happens.
 */
final class Confinement {
  private static final int SET_FILTER = 1;
  private static final int ALL_THREADS = 1;
  private static final int NO_NEW_PRIVILEGES = 38;

  // Instructions of the filter: load a word, compare, test bits, answer.
  private static final short LOAD = 0x20;
  private static final short JUMP_IF_EQUAL = 0x15;
  private static final short JUMP_IF_ANY_BIT = 0x45;
  private static final short RETURN = 0x06;
  private static final int ALLOW = 0x7fff0000;
  private static final int NOT_PERMITTED = 0x00050000 | 1;

  private static final int NUMBER_AT = 0;
  private static final int MACHINE_AT = 4;
  private static final int ARGUMENTS_AT = 16;
  private static final int WRITES = 0x1 | 0x2;

  private Confinement() {}

  /**
   * The numbers of system calls on one kind of machine.
   *
   * @param open how files are opened by the C library; its third argument has the flags
   */
  private record Numbers(int machine, int seccomp, int prctl, int open, List<Integer> refused) {}

  private record Instruction(short code, int jumpTrue, int jumpFalse, int value) {}

  /** From here on, for the rest of the process. Best effort: the sandbox stands without it. */
  static void begin() {
    Numbers numbers = numbers();
    if (numbers == null) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MethodHandle call = systemCall();
      MemorySegment filter = filter(program(numbers), arena);
      require(
          (long) call.invokeExact((long) numbers.prctl, (long) NO_NEW_PRIVILEGES, 1L, 0L, 0L, 0L));
      require(
          (long)
              call.invokeExact(
                  (long) numbers.seccomp,
                  (long) SET_FILTER,
                  (long) ALL_THREADS,
                  filter.address(),
                  0L,
                  0L));
    } catch (Throwable e) {
      System.err.println("orrery: a process for scripts is not confined: " + e);
    }
  }

  private static void require(long result) {
    if (result != 0) {
      throw new IllegalStateException("The kernel refused the filter of system calls: " + result);
    }
  }

  /** Those of socket, connect, execve, execveat, kill, ptrace, memory of others, and of names. */
  private static @Nullable Numbers numbers() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return null;
    }
    return switch (System.getProperty("os.arch")) {
      case "amd64" ->
          new Numbers(
              0xc000003e,
              317,
              157,
              257,
              List.of(41, 42, 59, 322, 62, 101, 310, 311, 76, 82, 83, 87, 263, 264, 316, 86, 265));
      case "aarch64" ->
          new Numbers(
              0xc00000b7,
              277,
              167,
              56,
              List.of(198, 203, 221, 281, 129, 117, 270, 271, 45, 34, 35, 38, 276, 37));
      default -> null;
    };
  }

  private static List<Instruction> program(Numbers numbers) {
    int refused = numbers.refused.size();
    List<Instruction> program = new ArrayList<>();
    program.add(new Instruction(LOAD, 0, 0, MACHINE_AT));
    // Calls by another machine's numbers are none of this JVM's.
    program.add(new Instruction(JUMP_IF_EQUAL, 0, refused + 5, numbers.machine));
    program.add(new Instruction(LOAD, 0, 0, NUMBER_AT));
    for (int i = 0; i < refused; i++) {
      program.add(new Instruction(JUMP_IF_EQUAL, refused - i + 3, 0, numbers.refused.get(i)));
    }
    program.add(new Instruction(JUMP_IF_EQUAL, 0, 2, numbers.open));
    program.add(new Instruction(LOAD, 0, 0, ARGUMENTS_AT + 2 * Long.BYTES));
    program.add(new Instruction(JUMP_IF_ANY_BIT, 1, 0, WRITES));
    program.add(new Instruction(RETURN, 0, 0, ALLOW));
    program.add(new Instruction(RETURN, 0, 0, NOT_PERMITTED));
    return program;
  }

  /** Linux' {@code struct sock_fprog} with its instructions. */
  private static MemorySegment filter(List<Instruction> program, Arena arena) {
    MemorySegment code = arena.allocate(8L * program.size(), Long.BYTES);
    for (int i = 0; i < program.size(); i++) {
      Instruction instruction = program.get(i);
      code.set(ValueLayout.JAVA_SHORT, 8L * i, instruction.code);
      code.set(ValueLayout.JAVA_BYTE, 8L * i + 2, (byte) instruction.jumpTrue);
      code.set(ValueLayout.JAVA_BYTE, 8L * i + 3, (byte) instruction.jumpFalse);
      code.set(ValueLayout.JAVA_INT, 8L * i + 4, instruction.value);
    }
    MemorySegment filter = arena.allocate(16, Long.BYTES);
    filter.set(ValueLayout.JAVA_SHORT, 0, (short) program.size());
    filter.set(ValueLayout.ADDRESS, Long.BYTES, code);
    return filter;
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
