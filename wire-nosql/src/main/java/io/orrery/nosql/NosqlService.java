package io.orrery.nosql;

import io.netty.util.concurrent.FastThreadLocal;
import io.orrery.operation.Database;
import java.time.Instant;
import java.time.InstantSource;

/** What all connections of a server share. */
final class NosqlService {
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
    this.authenticator = new Authenticator(config.keys(), InstantSource.system());
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

  NosqlConfig config() {
    return config;
  }

  Database database() {
    return database;
  }

  Patience patience() {
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

  int bodyBytesMax() {
    return config.limits().itemBytes() + BODY_SLACK_BYTES;
  }
}
