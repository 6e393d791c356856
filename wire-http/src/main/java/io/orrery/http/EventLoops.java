package io.orrery.http;

import io.netty.util.concurrent.EventExecutor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries what happens elsewhere over to the event loop of a connection. */
final class EventLoops {
  private static final Logger LOG = LoggerFactory.getLogger(EventLoops.class);

  private EventLoops() {}

  /** Runs a task there, at once where the caller is there; false when the server has stopped. */
  static boolean run(EventExecutor loop, Runnable task) {
    if (loop.inEventLoop()) {
      task.run();
      return true;
    }
    try {
      loop.execute(task);
      return true;
    } catch (RejectedExecutionException stopped) {
      LOG.debug("The server had stopped before an answer or memory was there");
      return false;
    }
  }
}
