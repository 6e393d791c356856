package io.orrery.script.child;

import io.orrery.script.channel.Channel;
import io.orrery.script.channel.ChildLimits;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/**
 * The program that a process for scripts runs: talks to the server over standard input and output.
 */
public final class ScriptChild {
  private static final int STACK_BYTES = 4 << 20;
  private static final int FAILED = 1;

  private ScriptChild() {}

  /** Arguments are those of {@link ChildLimits}. */
  public static void main(String[] arguments) {
    ChildLimits limits = ChildLimits.of(arguments);
    var channel =
        new Channel(
            new BufferedInputStream(new FileInputStream(FileDescriptor.in), 1 << 16),
            new FileOutputStream(FileDescriptor.out));
    // What libraries print would break the frames.
    System.setOut(System.err);
    var _ =
        Thread.ofPlatform()
            .name("script")
            .stackSize(STACK_BYTES)
            .start(() -> System.exit(converse(channel, limits)));
  }

  private static int converse(Channel channel, ChildLimits limits) {
    try {
      new Conversation(channel, limits).run();
      return 0;
    } catch (IOException | RuntimeException | Error e) {
      System.err.println("orrery: a process for scripts ends: " + e);
      return FAILED;
    }
  }
}
