package io.orrery.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.List;
import org.slf4j.LoggerFactory;

/** Sends the log to standard error; in code, because reading it from XML slows the start. */
public final class Logging extends ContextAwareBase implements Configurator {

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level %logger{0} %msg%n");
    encoder.start();
    var console = new ConsoleAppender<ILoggingEvent>();
    console.setContext(context);
    console.setTarget("System.err");
    console.setEncoder(encoder);
    console.start();
    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.addAppender(console);
    root.setLevel(Level.WARN);
    context.getLogger("io.orrery").setLevel(Level.INFO);
    // HBase's client writes a stack trace per lost connection; the engine tells that once.
    for (String noisy : List.of("org.apache.hadoop", "org.apache.hbase", "org.apache.zookeeper")) {
      context.getLogger(noisy).setLevel(Level.ERROR);
    }
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * What is logged from now on by our own code; libraries speak up only when something is wrong.
   */
  static void level(Settings.LogLevel level) {
    if (LoggerFactory.getLogger("io.orrery") instanceof Logger logger) {
      logger.setLevel(Level.toLevel(level.name()));
    }
  }
}
