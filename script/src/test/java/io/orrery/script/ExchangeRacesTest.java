package io.orrery.script;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.operation.Memory;
import io.orrery.script.channel.Channel;
import io.orrery.script.channel.Message;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Answers that come at the moment in which their process is killed. */
class ExchangeRacesTest {
  private final Pipes pipes = new Pipes();
  private final ScriptProcess process = ScriptProcess.over(ScriptSettings.DEFAULT, pipes);

  @Test
  void memoryOfAMessageThatNobodyWaitsForIsGivenBack() throws Exception {
    Memory memory = Memory.process();
    long before = memory.takenBytes(Memory.Lane.SCRIPT);
    CompletableFuture<Message> answer = exchange();
    process.kill(ScriptRefused.gone());
    assertThrows(CompletionException.class, answer::join);
    process.release(); // as the turn does at its end
    pipes.say(ByteBuffer.allocate(Integer.BYTES).putInt(1 << 20).array());
    await(() -> memory.takenBytes(Memory.Lane.SCRIPT) > before);
    pipes.end();
    await(() -> memory.takenBytes(Memory.Lane.SCRIPT) == before);
  }

  /** The watcher found that a client had gone, and was slow to say so. */
  @Test
  void aProcessIsNotKilledForAClientWhoWasAnsweredMeanwhile() throws Exception {
    CompletableFuture<Message> first = exchange();
    var second = new CompletableFuture<Message>();
    process.worksFor(
        () -> {
          pipes.say(frame(done("first")));
          var _ = first.orTimeout(20, TimeUnit.SECONDS).join();
          var _ = exchange().thenAccept(second::complete);
          return true;
        });
    process.look(System.nanoTime() + TimeUnit.SECONDS.toNanos(2));
    assertTrue(process.isAlive());
    pipes.say(frame(done("second")));
    assertEquals(done("first"), first.join());
    assertEquals(done("second"), second.get(10, TimeUnit.SECONDS));
    process.close();
    pipes.end();
  }

  /** Begins an exchange, and returns when its message was sent. */
  private CompletableFuture<Message> exchange() {
    var answer = CompletableFuture.supplyAsync(() -> process.exchange(new Message.Abandon()));
    pipes.sent.acquireUninterruptibly();
    return answer;
  }

  private static Message done(String body) {
    return new Message.Done(new ScriptAnswer(body, ""));
  }

  private static byte[] frame(Message message) {
    var out = new ByteArrayOutputStream();
    try {
      new Channel(InputStream.nullInputStream(), out).send(message);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toByteArray();
  }

  private static void await(BooleanSupplier state) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!state.getAsBoolean()) {
      assertTrue(System.nanoTime() < until, "waited too long");
      Thread.sleep(10);
    }
  }

  /** A process that says what the test says, and outlives being killed for a while. */
  private static final class Pipes extends Process {
    private final Semaphore sent = new Semaphore(0);

    /** Guarded by itself. */
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private boolean ended;

    void say(byte[] bytes) {
      synchronized (said) {
        said.writeBytes(bytes);
        said.notifyAll();
      }
    }

    void end() {
      synchronized (said) {
        ended = true;
        said.notifyAll();
      }
    }

    @Override
    public InputStream getInputStream() {
      return new InputStream() {
        private int at;

        // As with a pipe of the system, interrupting does not end it.
        @Override
        public int read() {
          boolean interrupted = false;
          synchronized (said) {
            while (at == said.size() && !ended) {
              try {
                said.wait();
              } catch (InterruptedException e) {
                interrupted = true;
              }
            }
            if (interrupted) {
              Thread.currentThread().interrupt();
            }
            return at == said.size() ? -1 : said.toByteArray()[at++] & 0xff;
          }
        }

        @Override
        public int read(byte[] into, int offset, int length) {
          if (length == 0) {
            return 0;
          }
          int one = read();
          if (one < 0) {
            return -1;
          }
          into[offset] = (byte) one;
          return 1;
        }
      };
    }

    @Override
    public OutputStream getOutputStream() {
      return new OutputStream() {
        @Override
        public void write(int one) {}

        @Override
        public void flush() {
          sent.release();
        }
      };
    }

    @Override
    public InputStream getErrorStream() {
      return InputStream.nullInputStream();
    }

    @Override
    public int waitFor() {
      return 0;
    }

    @Override
    public int exitValue() {
      return 0;
    }

    @Override
    public boolean isAlive() {
      return true;
    }

    @Override
    public void destroy() {}

    @Override
    public Process destroyForcibly() {
      return this;
    }
  }
}
