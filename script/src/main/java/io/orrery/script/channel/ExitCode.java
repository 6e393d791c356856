package io.orrery.script.channel;

/** How a process tells why it ended itself. */
public final class ExitCode {
  /** What {@code -XX:+ExitOnOutOfMemoryError} ends a JVM with. */
  public static final int OUT_OF_MEMORY = 3;

  /** The script used too much memory and could not be stopped. */
  public static final int TOO_LARGE = 13;

  /** Earlier scripts left the heap nearly full, so the script that runs is not to blame. */
  public static final int HEAP_LEFT_FULL = 15;

  /** The script ran for too long and could not be stopped. */
  public static final int TIMED_OUT = 14;

  private ExitCode() {}
}
