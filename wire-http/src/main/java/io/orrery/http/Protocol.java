package io.orrery.http;

import io.orrery.operation.Database;

/**
 * A protocol over HTTP, as a listening server needs it.
 *
 * @param <E> the errors of the protocol
 */
public interface Protocol<E> {
  /** Names its threads. */
  String name();

  Conversation<E> conversation(Origin origin);

  Database database();

  /** The largest body that is kept. */
  int bodyBytesMax();

  RequestObserver observer();

  Patience patience();
}
