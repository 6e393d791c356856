package io.orrery.script.child;

import io.orrery.script.ScriptAnswer;
import io.orrery.script.ScriptRefused;
import io.orrery.script.channel.Channel;
import io.orrery.script.channel.ChildLimits;
import io.orrery.script.channel.ExitCode;
import io.orrery.script.channel.Message;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Does what the server asks for, one message after the other, on the thread of the scripts. */
final class Conversation {
  private final Channel channel;
  private final ChildLimits limits;
  private final Sandbox sandbox = new Sandbox();
  private final Compiled compiled = new Compiled(Runtime.getRuntime().maxMemory());
  private final CalledFunctions functions;
  private final Watchdog watchdog = new Watchdog();

  Conversation(Channel channel, ChildLimits limits) {
    this.channel = channel;
    this.limits = limits;
    functions = new CalledFunctions(sandbox, compiled, limits.outputBytes());
  }

  /** Goes on until the server ends it. */
  void run() throws IOException {
    // The first context takes a second or more: none of the time that the first script has.
    try (Realm first = sandbox.open()) {
      first.eval(ScriptRun.SERVER);
    }
    if (!limits.training()) {
      Confinement.begin();
    }
    channel.send(new Message.Ready());
    while (!Realm.anyLeftBehind()) {
      Message message;
      try {
        message = channel.receive();
      } catch (EOFException e) {
        return;
      }
      switch (message) {
        case Message.Run run -> channel.send(answer(run));
        case Message.Calls calls -> channel.send(answer(calls));
        default -> throw new IOException("The server began with " + message);
      }
      compiled.release();
    }
  }

  private Message answer(Message.Run run) throws IOException {
    functions.close();
    Watch watch = begin(run.patienceNanos());
    Realm realm = sandbox.open();
    watch.add(realm);
    try {
      var documents = new AskedDocuments(channel, functions, watch, run.standing());
      ScriptAnswer answer =
          new ScriptRun(run.call(), documents, limits, watch).run(run.script(), compiled, realm);
      return new Message.Done(answer);
    } catch (ScriptRefused e) {
      return new Message.Refused(e);
    } catch (AskedDocuments.RunAbandoned e) {
      return new Message.Refused(
          new ScriptRefused(ScriptRefused.Reason.INTERRUPTED, String.valueOf(e.getMessage())));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      end(watch);
      if (watch.remove(realm)) {
        realm.close();
      }
      functions.close();
    }
  }

  private Message answer(Message.Calls calls) throws IOException {
    Watch watch = begin(0);
    try {
      return functions.answer(calls, watch);
    } finally {
      end(watch);
    }
  }

  private Watch begin(long patienceNanos) {
    var watch =
        new Watch(
            Thread.currentThread().threadId(),
            limits.time().toNanos(),
            System.nanoTime() + patienceNanos,
            Conversation::giveUp);
    watch.install();
    watchdog.begin(watch);
    return watch;
  }

  private void end(Watch watch) {
    watchdog.end();
    watch.uninstall();
  }

  /** The thread does not react to being stopped: nothing else stops it. */
  private static void giveUp(ScriptRefused why) {
    Runtime.getRuntime()
        .halt(
            why.reason() == ScriptRefused.Reason.TOO_LARGE
                ? ExitCode.TOO_LARGE
                : ExitCode.TIMED_OUT);
  }
}
