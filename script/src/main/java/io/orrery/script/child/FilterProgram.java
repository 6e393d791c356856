package io.orrery.script.child;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * A filter of system calls that the kernel runs at each of them (seccomp). Each rule decides about
 * one call or lets it pass to the next; what no rule refuses is allowed.
 */
final class FilterProgram {
  // Instructions: load a word, compare with a value, test bits, answer.
  private static final short LOAD = 0x20;
  private static final short JUMP_IF_EQUAL = 0x15;
  private static final short JUMP_IF_AT_LEAST = 0x35;
  private static final short JUMP_IF_ANY_BIT = 0x45;
  private static final short RETURN = 0x06;

  // Answers: the call is made, or is not and gives an error.
  private static final int ALLOW = 0x7fff0000;
  private static final int FAIL = 0x00050000;
  private static final int NOT_PERMITTED = FAIL | 1;
  private static final int NO_SUCH_CALL = FAIL | 38;

  // Where words stand in what the kernel shows of a call.
  private static final int NUMBER_AT = 0;
  private static final int MACHINE_AT = 4;
  private static final int ARGUMENTS_AT = 16;

  private static final int INSTRUCTION_BYTES = 8;

  private final SystemCall.Machine machine;
  private final List<Instruction> program = new ArrayList<>();

  /**
   * @param ifTrue how many of the next instructions are left out
   */
  private record Instruction(short code, int ifTrue, int ifFalse, int value) {}

  /** Refuses calls by another machine's numbers, which no JVM makes. */
  FilterProgram(SystemCall.Machine machine) {
    this.machine = machine;
    add(LOAD, MACHINE_AT);
    unless(JUMP_IF_EQUAL, machine.code());
    add(RETURN, NOT_PERMITTED);
    add(LOAD, NUMBER_AT);
  }

  /** Answers as a kernel does that does not have the calls from this number on. */
  void hideFrom(int number) {
    when(JUMP_IF_AT_LEAST, number, 1);
    add(RETURN, NO_SUCH_CALL);
  }

  void refuse(SystemCall call) {
    if (begin(call, 1)) {
      add(RETURN, NOT_PERMITTED);
    }
  }

  /** Refuses the call when its argument, counted from 0, has any of the bits. */
  void refuseBits(SystemCall call, int argument, int bits) {
    if (begin(call, 4)) {
      add(LOAD, ARGUMENTS_AT + argument * Long.BYTES);
      when(JUMP_IF_ANY_BIT, bits, 1);
      add(RETURN, NOT_PERMITTED);
      add(RETURN, ALLOW);
    }
  }

  /** Refuses the call unless its argument has one of the bits. */
  void requireBits(SystemCall call, int argument, int bits) {
    if (begin(call, 4)) {
      add(LOAD, ARGUMENTS_AT + argument * Long.BYTES);
      unless(JUMP_IF_ANY_BIT, bits);
      add(RETURN, NOT_PERMITTED);
      add(RETURN, ALLOW);
    }
  }

  /**
   * Refuses the call unless its argument is one of the values. All arguments looked at have 32 bits
   * for the kernel, too.
   */
  void requireOneOf(SystemCall call, int argument, int... values) {
    if (begin(call, 2 + 2 * values.length)) {
      add(LOAD, ARGUMENTS_AT + argument * Long.BYTES);
      for (int value : values) {
        when(JUMP_IF_EQUAL, value, 1);
        add(RETURN, ALLOW);
      }
      add(RETURN, NOT_PERMITTED);
    }
  }

  /** Begins a rule of some instructions, the last of which answers; false without such a call. */
  private boolean begin(SystemCall call, int instructions) {
    int number = call.number(machine);
    if (number < 0) {
      return false;
    }
    when(JUMP_IF_EQUAL, number, instructions);
    return true;
  }

  /** Leaves the next instructions out where the test fails. */
  private void when(short test, int value, int instructions) {
    program.add(new Instruction(test, 0, instructions, value));
  }

  /** Leaves the next instruction out where the test holds. */
  private void unless(short test, int value) {
    program.add(new Instruction(test, 1, 0, value));
  }

  private void add(short code, int value) {
    program.add(new Instruction(code, 0, 0, value));
  }

  /** Linux' {@code struct sock_fprog} with its instructions. */
  MemorySegment written(Arena arena) {
    add(RETURN, ALLOW);
    MemorySegment code = arena.allocate((long) INSTRUCTION_BYTES * program.size(), Long.BYTES);
    for (int i = 0; i < program.size(); i++) {
      Instruction instruction = program.get(i);
      long at = (long) INSTRUCTION_BYTES * i;
      code.set(ValueLayout.JAVA_SHORT, at, instruction.code);
      code.set(ValueLayout.JAVA_BYTE, at + 2, (byte) instruction.ifTrue);
      code.set(ValueLayout.JAVA_BYTE, at + 3, (byte) instruction.ifFalse);
      code.set(ValueLayout.JAVA_INT, at + 4, instruction.value);
    }
    MemorySegment filter = arena.allocate(16, Long.BYTES);
    filter.set(ValueLayout.JAVA_SHORT, 0, (short) program.size());
    filter.set(ValueLayout.ADDRESS, Long.BYTES, code);
    return filter;
  }
}
