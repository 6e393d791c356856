package io.orrery.nosql;

import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.http.Conversation;
import io.orrery.http.Origin;
import io.orrery.http.Patience;
import io.orrery.http.Protocol;
import io.orrery.http.RequestObserver;
import io.orrery.operation.Database;
import java.time.Instant;
import java.time.InstantSource;

/** What all connections of a server share. */
final class NosqlService implements Protocol<NosqlError> {
  /** Room for white space, system properties and the frame of a patch around an item. */
  private static final int BODY_SLACK_BYTES = 1 << 20;

  private final NosqlConfig config;
  private final Database database;
  private final Patience patience;
  private final Authenticator authenticator;
  private final NosqlCommands commands;
  private final FastThreadLocal<NosqlAnswers> answers;

  NosqlService(NosqlConfig config, Database database, Patience patience) {
    this.config = config;
    this.database = database;
    this.patience = patience;
    this.authenticator =
        new Authenticator(config.access().keys(), InstantSource.system(), database::admit);
    this.commands = new NosqlCommands(config.consistency());
    Instant started = Instant.now();
    this.answers =
        new FastThreadLocal<>() {
          @Override
          protected NosqlAnswers initialValue() {
            return new NosqlAnswers(config.limits(), started);
          }
        };
  }

  @Override
  public String name() {
    return "nosql";
  }

  @Override
  public Conversation<NosqlError> conversation(Origin origin) {
    return new NosqlConversation(this, origin);
  }

  @Override
  public RequestObserver observer() {
    return config.observer();
  }

  NosqlConfig config() {
    return config;
  }

  @Override
  public Database database() {
    return database;
  }

  @Override
  public Patience patience() {
    return patience;
  }

  Authenticator authenticator() {
    return authenticator;
  }

  NosqlCommands commands() {
    return commands;
  }

  /** The writer of answers that belongs to the calling event loop. */
  NosqlAnswers answers() {
    return answers.get();
  }

  @Override
  public int bodyBytesMax() {
    return config.limits().itemBytes() + BODY_SLACK_BYTES;
  }
}
