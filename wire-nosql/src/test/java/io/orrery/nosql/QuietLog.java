package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Fails a test class that made anybody log an error; Netty logs leaked buffers as such. */
final class QuietLog implements BeforeAllCallback, AfterAllCallback {
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    events.start();
    root().addAppender(events);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    // Netty tells of leaks when it makes a buffer after the lost one was collected.
    for (int i = 0; i < 3; i++) {
      System.gc();
      ByteBufAllocator.DEFAULT.buffer().release();
    }
    root().detachAppender(events);
    List<String> errors =
        List.copyOf(events.list).stream()
            .filter(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
            .map(ILoggingEvent::getFormattedMessage)
            .toList();
    assertEquals(List.of(), errors);
  }
}
