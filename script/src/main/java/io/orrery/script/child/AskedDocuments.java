package io.orrery.script.child;

import io.orrery.script.Documents;
import io.orrery.script.channel.Channel;
import io.orrery.script.channel.Message;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The documents of one run, which the server has. */
final class AskedDocuments {
  private static final int TOO_LARGE = 413;

  private final Channel channel;
  private final CalledFunctions functions;
  private final Watch watch;
  private final Message.Standing standing;
  private boolean accepts;

  AskedDocuments(
      Channel channel, CalledFunctions functions, Watch watch, Message.Standing standing) {
    this.channel = channel;
    this.functions = functions;
    this.watch = watch;
    this.standing = standing;
    accepts = standing.accepts();
  }

  Message.Standing standing() {
    return standing;
  }

  boolean accepts() {
    return accepts;
  }

  /**
   * Lets the server do a step. Its query may call functions meanwhile, on this thread.
   *
   * @throws RunAbandoned when the run is to end
   */
  Documents.Reply perform(Documents.Step step) {
    try {
      try {
        channel.send(new Message.Ask(step));
      } catch (Channel.FrameTooLarge e) {
        return new Documents.Reply.Failed(TOO_LARGE, "Request size is too large");
      }
      while (true) {
        switch (channel.receive()) {
          case Message.Replied(var reply, boolean more) -> {
            accepts = more;
            return reply;
          }
          case Message.Calls calls -> channel.send(functions.answer(calls, watch));
          case Message.Abandon() -> throw new RunAbandoned();
          case Message other -> throw new IOException("A step was answered by " + other);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The server does not want the run to go on. */
  static final class RunAbandoned extends RuntimeException {
    private static final long serialVersionUID = 1;

    RunAbandoned() {
      super("The run was abandoned", null, false, false);
    }
  }
}
