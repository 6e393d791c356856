package io.orrery.partition;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.slf4j.LoggerFactory;

/** What a class logs, until it is closed. */
final class CaughtLog implements AutoCloseable {
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();
  private final Logger logger;

  CaughtLog(Class<?> of) {
    logger = (Logger) LoggerFactory.getLogger(of);
    events.start();
    logger.addAppender(events);
  }

  List<String> lines() {
    return List.copyOf(events.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Override
  public void close() {
    logger.detachAppender(events);
  }
}
