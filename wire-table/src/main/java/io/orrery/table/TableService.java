package io.orrery.table;

import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.http.Conversation;
import io.orrery.http.Origin;
import io.orrery.http.Patience;
import io.orrery.http.Protocol;
import io.orrery.http.RequestObserver;
import io.orrery.operation.Database;
import java.time.InstantSource;

/** What all connections of a server share. */
final class TableService implements Protocol<TableError> {
  /** What a batch may have, and no body needs more. */
  private static final int BODY_BYTES_MAX = 4 << 20;

  private final TableConfig config;
  private final Database database;
  private final Patience patience;
  private final Authenticator authenticator;
  private final FastThreadLocal<TableAnswers> answers =
      new FastThreadLocal<>() {
        @Override
        protected TableAnswers initialValue() {
          return new TableAnswers();
        }
      };

  TableService(TableConfig config, Database database, Patience patience) {
    this.config = config;
    this.database = database;
    this.patience = patience;
    this.authenticator =
        new Authenticator(config.account(), config.access().keys(), InstantSource.system());
  }

  @Override
  public String name() {
    return "table";
  }

  @Override
  public Conversation<TableError> conversation(Origin origin) {
    return new TableConversation(this, origin);
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public int bodyBytesMax() {
    return BODY_BYTES_MAX;
  }

  @Override
  public RequestObserver observer() {
    return config.observer();
  }

  @Override
  public Patience patience() {
    return patience;
  }

  TableConfig config() {
    return config;
  }

  Authenticator authenticator() {
    return authenticator;
  }

  /** The writer of answers that belongs to the calling event loop. */
  TableAnswers answers() {
    return answers.get();
  }
}
