package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import org.junit.jupiter.api.Test;

class UncaughtFaultsTest {

  @Test
  void errorsAreCountedAndExceptionsAreNot() throws InterruptedException {
    long before = Vitals.occurrences(Vitals.Symptom.UNCAUGHT_ERROR);
    end(new IllegalStateException("of a test"));
    assertEquals(before, Vitals.occurrences(Vitals.Symptom.UNCAUGHT_ERROR));
    VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
    end(new StackOverflowError("of a test"));
    assertEquals(before + 1, Vitals.occurrences(Vitals.Symptom.UNCAUGHT_ERROR));
  }

  private static void end(Throwable fault) throws InterruptedException {
    Thread thread =
        Thread.ofPlatform()
            .uncaughtExceptionHandler(new UncaughtFaults())
            .start(
                () -> {
                  if (fault instanceof Error error) {
                    throw error;
                  }
                  throw new IllegalStateException(fault);
                });
    thread.join();
  }
}
