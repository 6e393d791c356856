package io.orrery.routing;

import io.orrery.operation.DrawnBytes;
import io.orrery.operation.PeerOverloaded;
import io.orrery.storage.Member;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Talks with other nodes and waits for what they say. */
final class Conversation {
  private final Peers peers;
  private final NodeTimes times;

  /** Nodes that are out of reach, by number. */
  private final Map<Long, Silence> silent = new ConcurrentHashMap<>();

  /** When a node could not be reached: the first time since it answered, and the last. */
  private record Silence(long first, long last) {}

  Conversation(Peers peers, NodeTimes times) {
    this.peers = peers;
    this.times = times;
  }

  /**
   * Sends a message and waits for the answer.
   *
   * @throws java.net.ConnectException when it certainly did not arrive
   * @throws IOException when nobody can tell
   */
  Message call(Member to, Message message, Duration most) throws IOException {
    CompletableFuture<DrawnBytes> answer = peers.call(to, Messages.write(message));
    try (DrawnBytes bytes = answer.get(most.toMillis(), TimeUnit.MILLISECONDS)) {
      Message said = Messages.read(bytes.bytes());
      silent.remove(to.number());
      return said;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConnectException cause && !(cause instanceof PeerOverloaded)) {
        noteSilence(to);
      }
      if (e.getCause() instanceof IOException cause) {
        throw cause;
      }
      throw new IOException("Node " + to.address() + " could not be asked", e.getCause());
    } catch (TimeoutException e) {
      giveUp(answer);
      throw new IOException("Node " + to.address() + " did not answer in " + most, e);
    } catch (InterruptedException e) {
      giveUp(answer);
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while node " + to.address() + " was asked", e);
    }
  }

  /** Its bytes are returned also when it comes at this moment. */
  private static void giveUp(CompletableFuture<DrawnBytes> answer) {
    answer.cancel(true);
    drop(answer);
  }

  private static void drop(CompletableFuture<DrawnBytes> answer) {
    var _ = answer.thenAccept(DrawnBytes::close);
  }

  private void noteSilence(Member member) {
    long now = System.nanoTime();
    silent.merge(
        member.number(), new Silence(now, now), (known, next) -> new Silence(known.first(), now));
  }

  /** The answer to a short question, or why there is none. */
  Message ask(Member member, Message question) {
    try {
      return call(member, question, times.answer());
    } catch (IOException e) {
      return new Message.Failed(String.valueOf(e.getMessage()));
    }
  }

  /** Asks all at once; those who did it. */
  List<Member> askAll(List<Member> members, Message question) {
    byte[] request = Messages.write(question);
    var answers = new ArrayList<CompletableFuture<DrawnBytes>>();
    members.forEach(member -> answers.add(peers.call(member, request)));
    var done = new ArrayList<Member>();
    long deadline = System.nanoTime() + times.answer().toNanos();
    for (int i = 0; i < members.size(); i++) {
      long left = Math.max(0, deadline - System.nanoTime());
      try (DrawnBytes bytes = answers.get(i).get(left, TimeUnit.NANOSECONDS)) {
        if (Messages.read(bytes.bytes()) instanceof Message.Done) {
          done.add(members.get(i));
        }
      } catch (ExecutionException | TimeoutException | IOException e) {
        giveUp(answers.get(i));
      } catch (InterruptedException e) {
        answers.forEach(Conversation::giveUp);
        Thread.currentThread().interrupt();
        return done;
      }
    }
    return done;
  }

  /** Says something that needs no answer. */
  void tell(Member member, Message message) {
    drop(peers.call(member, Messages.write(message)));
  }

  /** Whether a node could not be reached when it was asked last. */
  boolean isSilent(Member member) {
    return silent.containsKey(member.number());
  }

  /** Whether a node has been out of reach for long, which takes more than one attempt. */
  boolean isAway(Member member) {
    Silence silence = silent.get(member.number());
    return silence != null && silence.last() - silence.first() > times.away().toNanos();
  }

  void forget(Member gone) {
    silent.remove(gone.number());
    peers.forget(gone);
  }
}
