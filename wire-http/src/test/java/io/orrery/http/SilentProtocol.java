package io.orrery.http;

import io.orrery.operation.Database;
import java.util.function.Supplier;

/** A protocol for tests of connections: it has no database, and conversations as a test wants. */
record SilentProtocol(Supplier<Conversation<String>> conversations) implements Protocol<String> {
  @Override
  public String name() {
    return "silent";
  }

  @Override
  public Conversation<String> conversation(Origin origin) {
    return conversations.get();
  }

  @Override
  public Database database() {
    throw new IllegalStateException("There is no database");
  }

  @Override
  public int bodyBytesMax() {
    return 1 << 20;
  }

  @Override
  public RequestObserver observer() {
    return RequestObserver.NONE;
  }

  @Override
  public Patience patience() {
    return Patience.USUAL;
  }
}
