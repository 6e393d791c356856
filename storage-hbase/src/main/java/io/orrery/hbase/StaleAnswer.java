package io.orrery.hbase;

import java.io.IOException;

/** A server answered with a state that is over, or from two states; the next one will know. */
final class StaleAnswer extends IOException {
  private static final long serialVersionUID = 1;

  StaleAnswer(String message) {
    super(message);
  }
}
