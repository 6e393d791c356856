package io.orrery.server;

import io.orrery.operation.Vitals;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what ends a thread, and counts it when it is an Error. */
final class UncaughtFaults implements Thread.UncaughtExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(UncaughtFaults.class);

  @Override
  public void uncaughtException(Thread thread, Throwable fault) {
    if (fault instanceof Error) {
      Vitals.count(Vitals.Symptom.UNCAUGHT_ERROR);
    }
    LOG.error("Thread {} ended", thread.getName(), fault);
  }
}
