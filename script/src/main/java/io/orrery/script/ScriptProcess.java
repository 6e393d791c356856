package io.orrery.script;

import io.orrery.operation.Memory;
import io.orrery.script.channel.Channel;
import io.orrery.script.channel.ChildLimits;
import io.orrery.script.channel.ExitCode;
import io.orrery.script.channel.Message;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A process that runs scripts, as the server sees it. It belongs to one caller at a time, who sends
 * a message and waits for the next; a thread of its own reads and writes the pipes, because those
 * of requests may not block there. How an exchange ends is decided once: by the answer, by the end
 * of the process, or because it was killed before either.
 */
final class ScriptProcess implements AutoCloseable {
  /** A client that has gone ends its script, but not sooner than a new process takes to start. */
  private static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** What the process may take beyond a script's time to see for itself that it is over. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(8);

  /** Smaller messages are not worth the counting. */
  private static final int SMALL_FRAME_BYTES = 64 << 10;

  /** The bytes of a message, and what is made of them. */
  private static final int FRAME_COPIES = 3;

  private static final long START_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final ScriptSettings settings;
  private final Process process;
  private final Channel channel;
  private final BlockingQueue<Exchange> asked = new ArrayBlockingQueue<>(1);
  private final Thread thread;
  private final ErrorOutput printed;
  private volatile BooleanSupplier gone = () -> false;
  private volatile long turnBeganNanos = System.nanoTime();
  private volatile @Nullable Exchange current;
  private volatile boolean over;

  /** What the last message takes, until the next one is asked for. */
  private final AtomicLong heldBytes = new AtomicLong();

  /** Why it ended, once that is known. */
  private volatile @Nullable RuntimeException end;

  /**
   * A message that was sent, and what comes back.
   *
   * @param sent null for the first, which answers the start
   */
  private record Exchange(
      @Nullable Message sent,
      CompletableFuture<Message> answer,
      long beganNanos,
      long untilNanos) {}

  private ScriptProcess(ScriptSettings settings, Process process) {
    this.settings = settings;
    this.process = process;
    channel = new Channel(process.getInputStream(), process.getOutputStream());
    thread = Thread.ofPlatform().daemon().name("script-process").unstarted(this::converse);
    printed = new ErrorOutput(process.getErrorStream());
  }

  /** Starts a process that has yet to say that it is {@linkplain #awaitReady ready}. */
  static ScriptProcess start(ScriptSettings settings) throws IOException {
    return over(settings, ProcessCommand.start(settings));
  }

  static ScriptProcess train(ScriptSettings settings, Path cache) throws IOException {
    return over(settings, ProcessCommand.train(settings, cache));
  }

  /** Talks to a process that was started. */
  static ScriptProcess over(ScriptSettings settings, Process started) {
    var process = new ScriptProcess(settings, started);
    process.thread.start();
    process.printed.start();
    return process;
  }

  private void converse() {
    try {
      while (!over) {
        Exchange next = asked.take();
        try {
          if (next.sent != null) {
            channel.send(next.sent);
          }
          next.answer.complete(channel.receive(this::hold));
        } catch (ScriptRefused e) {
          next.answer.completeExceptionally(e);
          close(); // the rest of its message was not read
        } catch (Channel.FrameTooLarge e) {
          next.answer.completeExceptionally(e);
        } catch (EOFException e) {
          next.answer.completeExceptionally(ended());
        } catch (IOException e) {
          next.answer.completeExceptionally(process.isAlive() ? broken(e) : ended());
        } catch (RuntimeException | Error e) {
          next.answer.completeExceptionally(broken(new IOException(e.toString(), e)));
        }
      }
    } catch (InterruptedException e) {
      close();
    } finally {
      abandonAsked();
      release(); // a message may have come when nobody waited for it any more
    }
  }

  /** What nobody answers any more ends here. */
  private void abandonAsked() {
    for (Exchange left = asked.poll(); left != null; left = asked.poll()) {
      left.answer.completeExceptionally(whyOver());
    }
  }

  private RuntimeException whyOver() {
    RuntimeException why = end;
    return why == null ? new ProcessEnded("the process for scripts has ended") : why;
  }

  void awaitReady() {
    Message first = exchange(null, START_NANOS);
    if (!(first instanceof Message.Ready)) {
      throw broken(new IOException("it began with " + first));
    }
  }

  WorkTime workTime() {
    return new WorkTime(process.toHandle());
  }

  boolean isAlive() {
    return !over && process.isAlive();
  }

  /**
   * Sends a message and gives the next one that comes back; blocks for as long as a script may run.
   *
   * @throws ScriptRefused when the script ended the process, or took too long
   * @throws ProcessEnded when it ended for another reason
   * @throws Channel.FrameTooLarge when the message is; the process is as it was
   */
  Message exchange(Message message) {
    return exchange(message, runNanosMax());
  }

  /** As long as a script runs by the clock, and then some: a process that obeys has ended it. */
  long runNanosMax() {
    return ChildLimits.STARVED * settings.time().toNanos() + GRACE_NANOS;
  }

  /** The answer; a process that gives more than a script may answer is ended. */
  ScriptAnswer within(ScriptAnswer answer) {
    String body = answer.body();
    if ((body != null && body.length() > settings.outputBytes())
        || answer.log().length() > ChildLimits.LOG_UNITS_MAX) {
      throw broken(new IOException("it answered more than it may"));
    }
    return answer;
  }

  /** Ends a process that has not ended its script in time. */
  ScriptRefused overran() {
    ScriptRefused why = timedOut();
    kill(why);
    return why;
  }

  /** The same; the process is ended when it has not answered after so long. */
  Message exchange(@Nullable Message message, long nanosMax) {
    release();
    long now = System.nanoTime();
    var exchange = new Exchange(message, new CompletableFuture<>(), now, now + nanosMax);
    current = exchange;
    if (over) {
      throw whyOver();
    }
    asked.add(exchange);
    if (over) {
      abandonAsked(); // its thread may not have seen this one
    }
    try {
      return exchange.answer.join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      current = null;
    }
  }

  /** Draws the memory of a message before it is read. */
  private void hold(int frameBytes) {
    long bytes = frameBytes < SMALL_FRAME_BYTES ? 0 : (long) FRAME_COPIES * frameBytes;
    if (!Memory.process().tryTake(Memory.Lane.SCRIPT, bytes)) {
      throw new ScriptRefused(
          ScriptRefused.Reason.INTERRUPTED,
          "Documents and results of scripts fill the memory that the server has for them, nothing"
              + " was done. Try again later, or let the script read and answer less at a time.");
    }
    heldBytes.addAndGet(bytes);
  }

  /** Returns the memory of the last message. */
  void release() {
    Memory.process().giveBack(Memory.Lane.SCRIPT, heldBytes.getAndSet(0));
  }

  /** Says who it works for, who may stop waiting. */
  void worksFor(BooleanSupplier client) {
    turnBeganNanos = System.nanoTime();
    gone = client;
  }

  /** Kills the process when its exchange is overdue, or its client has disconnected. */
  void look(long nowNanos) {
    Exchange waiting = current;
    if (waiting == null) {
      return;
    }
    if (nowNanos - waiting.untilNanos > 0) {
      kill(waiting, timedOut());
    } else if (nowNanos - waiting.beganNanos > GONE_NANOS && gone.getAsBoolean()) {
      kill(waiting, ScriptRefused.gone());
    }
  }

  /** Unless it was answered meanwhile: then the process may work for another already. */
  private void kill(Exchange waiting, ScriptRefused why) {
    if (waiting.answer.completeExceptionally(why)) {
      kill(why);
    }
  }

  /** Refuses those who wait for it, also those who begin to wait meanwhile. */
  void kill(ScriptRefused why) {
    end = why;
    Exchange waiting = current;
    if (waiting != null) {
      waiting.answer.completeExceptionally(why);
    }
    close();
  }

  /** Ends a process whose messages are of no use. */
  RuntimeException broken(IOException why) {
    close();
    return new ProcessEnded("the process for scripts was ended: " + why.getMessage());
  }

  private RuntimeException ended() {
    int code = exitCode();
    RuntimeException why = end;
    if (why == null) {
      why = reason(code);
      end = why;
    }
    close();
    return why;
  }

  private RuntimeException reason(int code) {
    return switch (code) {
      case ExitCode.OUT_OF_MEMORY, ExitCode.TOO_LARGE ->
          new ScriptRefused(
              ScriptRefused.Reason.TOO_LARGE,
              "The script used more than the "
                  + (settings.memoryBytes() >> 20)
                  + " MB of memory that scripts have, and its process was ended");
      case ExitCode.HEAP_LEFT_FULL ->
          new ProcessEnded("earlier scripts left too little memory in the process for scripts");
      case ExitCode.TIMED_OUT ->
          hadItsTime()
              ? timedOut()
              : new ProcessEnded("the process for scripts ended for a script that ran before");
      default ->
          new ProcessEnded("the process for scripts ended with exit code " + code + printed.text());
    };
  }

  /** A process may end late for a script that was answered: the next one is not to blame. */
  private boolean hadItsTime() {
    return System.nanoTime() - turnBeganNanos >= settings.time().toNanos();
  }

  private ScriptRefused timedOut() {
    return new ScriptRefused(
        ScriptRefused.Reason.TIMED_OUT,
        "The script ran longer than "
            + settings.time().toMillis()
            + " ms and could not be stopped, so its process was ended; nothing was done");
  }

  private int exitCode() {
    try {
      return process.waitFor(5, TimeUnit.SECONDS) ? process.exitValue() : -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  /** Lets the process end by itself; blocks until it has. */
  void finish() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(START_NANOS, TimeUnit.NANOSECONDS)) {
      close();
    }
  }

  @Override
  public void close() {
    over = true;
    process.destroyForcibly();
    thread.interrupt();
  }
}
