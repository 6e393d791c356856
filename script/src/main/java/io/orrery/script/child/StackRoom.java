package io.orrery.script.child;

/**
 * Sees to it that the engine has room on the stack for its own work. Where code of a user fills the
 * stack in the midst of that, the order to stop is lost, or a list of the engine is left in
 * disorder. Here nothing is.
 */
final class StackRoom {
  /** A frame takes 16 bytes or more. */
  private static final int FRAMES = 16_384;

  private StackRoom() {}

  /**
   * Goes on only where there is room.
   *
   * @throws StackOverflowError where there is not
   */
  static void demand() {
    if (descend(FRAMES) != FRAMES) {
      throw new AssertionError("Frames were counted wrong");
    }
  }

  private static int descend(int frames) {
    return frames == 0 ? 0 : 1 + descend(frames - 1);
  }
}
