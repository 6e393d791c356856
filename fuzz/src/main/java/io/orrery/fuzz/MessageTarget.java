package io.orrery.fuzz;

import io.orrery.routing.FuzzedRouting;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;

/** Reads messages between nodes; written again they are the same. */
final class MessageTarget implements Target {

  @Override
  public void run(byte[] input) throws IOException {
    Serializable message;
    try {
      message = FuzzedRouting.message(input);
    } catch (IOException refused) {
      return;
    }
    byte[] written = FuzzedRouting.write(message);
    byte[] again = FuzzedRouting.write(FuzzedRouting.message(written));
    Finding.unless(Arrays.equals(written, again), "written twice: " + message);
  }
}
