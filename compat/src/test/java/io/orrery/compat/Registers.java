package io.orrery.compat;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A few items of one container, each a growing list of values, and the ways to read and change
 * them. Those of one logical partition have numbers one after the other.
 */
interface Registers {
  /** What a request saw before it changed anything; refused ones saw nothing. */
  record Told(boolean done, Map<Integer, List<String>> reads) {
    static final Told REFUSED = new Told(false, Map.of());

    static Told saw(Map<Integer, List<String>> reads) {
      return new Told(true, reads);
    }

    static Told nothing() {
      return saw(Map.of());
    }
  }

  Told read(int register);

  /** Reads several in one batch. */
  Told readTogether(Set<Integer> registers);

  /** Adds a value whatever is there. */
  Told append(int register, String value);

  /** Reads, then replaces under the condition that nobody else has changed it. */
  Told readAndReplace(int register, String value);

  /** Adds values in one batch. */
  Told appendTogether(Map<Integer, String> values);

  /** Adds values in a batch whose last operation is refused. */
  Told appendInVain(Map<Integer, String> values);

  /**
   * Reads, then deletes and creates with values added, in one batch, under the condition that
   * nobody else has changed them.
   */
  Told readAndRecreate(Map<Integer, String> values);

  /** Deletes and creates in a batch whose last operation is refused. */
  Told recreateInVain(Map<Integer, String> values);

  /**
   * A script that reads all registers of the logical partition and adds values to some.
   *
   * @param recreates whether it deletes and creates them instead of replacing them
   */
  Told script(Map<Integer, String> values, boolean recreates);

  /** The same, but the script throws at its end. */
  Told scriptInVain(Map<Integer, String> values, boolean recreates);

  /** Creates an item beside a register, reads it and deletes it. */
  Told createAndDelete(int register, String id);
}
