package io.orrery.script;

import io.orrery.script.channel.Channel;
import io.orrery.script.channel.ExitCode;
import io.orrery.script.channel.Message;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;

/** A process for scripts whose code found a way out: it keeps to no bound. */
public final class TakenOverChild {
  private TakenOverChild() {}

  public static void main(String[] arguments) throws IOException {
    var channel =
        new Channel(
            new FileInputStream(FileDescriptor.in), new FileOutputStream(FileDescriptor.out));
    channel.send(new Message.Ready());
    while (true) {
      var _ = channel.receive();
      if (arguments[0].equals("full")) {
        System.exit(ExitCode.HEAP_LEFT_FULL);
      }
      channel.send(answer(arguments[0]));
    }
  }

  private static Message answer(String kind) {
    return switch (kind) {
      case "asks" -> new Message.Ask(new Documents.Step.Read("dbs/d/colls/c/docs/x", null));
      case "talks" -> new Message.Done(new ScriptAnswer("\"" + "x".repeat(8 << 20) + "\"", ""));
      case "logs" -> new Message.Done(new ScriptAnswer("1", "x".repeat(1 << 20)));
      case "complains" ->
          new Message.Refused(
              new ScriptRefused(ScriptRefused.Reason.FAILED, "x".repeat(1 << 20))
                  .with("y".repeat(1 << 20)));
      default -> throw new IllegalArgumentException(kind);
    };
  }
}
