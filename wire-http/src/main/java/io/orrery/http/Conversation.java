package io.orrery.http;

import io.netty.channel.ChannelHandlerContext;
import io.orrery.operation.Answer;
import io.orrery.operation.Grant;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a protocol makes of the requests of one connection, one after the other, on its event loop.
 *
 * @param <E> the errors of the protocol
 */
public interface Conversation<E> {

  /** How it goes on with a request. */
  sealed interface Decision<E> {}

  /** The database is asked. */
  record Ask<E>(Operation operation) implements Decision<E> {}

  /** The database is asked by a client that shows a resource token. */
  record AskWith<E>(Grant grant, Operation operation) implements Decision<E> {}

  /** The answer is known: it is written on the event loop, which gives its status. */
  record Write<E>(IntSupplier writing) implements Decision<E> {}

  /** A worker builds the answer, which would hold the event loop for too long. */
  record Compute<E>(Supplier<Decision<E>> work) implements Decision<E> {}

  /** The answer was written. */
  record Told<E>(int status) implements Decision<E> {}

  record Refuse<E>(E error) implements Decision<E> {}

  /**
   * Checks a request by its head, so that nobody unknown makes the server keep a body; gives the
   * reason to refuse it, or null.
   */
  @Nullable E admit(Incoming<E> incoming);

  /** Whether an admitted request asks for a page about the server, which may take a while. */
  default boolean isPage() {
    return false;
  }

  /**
   * Decides on a request that came in whole and was not refused. Requests with large bodies are
   * decided on a worker, pages on a thread of their own, so nothing may be written here.
   */
  Decision<E> decide(ChannelHandlerContext context, Incoming<E> incoming);

  /** Takes the database's answer: writes it, or asks for what else is needed. */
  Decision<E> answered(ChannelHandlerContext context, Exchange exchange, Answer answer);

  /**
   * Lets the answer to come say what was done, and not show it, because there is no memory for
   * that; false when it must be shown.
   */
  boolean shorten(Outcome outcome);

  /**
   * Takes the database's answer to a request whose client has disconnected: the audit log notes its
   * change all the same.
   */
  void unheard(Exchange exchange, Answer answer);

  /** Drops the request, which was answered: an idle connection keeps nothing of it. */
  void end();

  /** Writes an error, without flushing; returns its status. */
  int refuse(ChannelHandlerContext context, Exchange exchange, E error);

  /** What is told of a request that is no HTTP, or more of it than is served. */
  E broken(BrokenRequest broken);

  /** What is told when the server failed. */
  E fault();
}
