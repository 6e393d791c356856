package io.orrery.operation;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;

/**
 * Virtual threads over carriers of our choice. The JDK has this, but offers it to its own tests
 * only: it is reached by reflection, where the process was started with {@code
 * --add-opens=java.base/java.lang=ALL-UNNAMED}, and is absent otherwise.
 *
 * @param builder makes a {@link Thread.Builder.OfVirtual} of an {@link Executor}
 * @param usual the carriers of all other virtual threads
 */
record CarrierAccess(MethodHandle builder, Executor usual) {
  private static final Optional<CarrierAccess> FOUND = find();
  private static final long START_NANOS_MAX = 20_000_000;

  static Optional<CarrierAccess> found() {
    return FOUND;
  }

  private static Optional<CarrierAccess> find() {
    try {
      var builders = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder");
      var constructor = builders.getDeclaredConstructor(Executor.class);
      constructor.setAccessible(true);
      var usual = Class.forName("java.lang.VirtualThread").getDeclaredMethod("defaultScheduler");
      usual.setAccessible(true);
      MethodHandle builder =
          MethodHandles.lookup()
              .unreflectConstructor(constructor)
              .asType(MethodType.methodType(Thread.Builder.OfVirtual.class, Executor.class));
      return Optional.of(new CarrierAccess(builder, (Executor) usual.invoke(null)));
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * Starts the usual carriers, all there can be. One that is started later inherits the priority of
   * the thread that happens to need it, and keeps it for work of every kind.
   */
  void startUsual() {
    if (!(usual instanceof ForkJoinPool pool)) {
      return;
    }
    var missing = new CountDownLatch(pool.getParallelism());
    long endNanos = System.nanoTime() + START_NANOS_MAX;
    for (int i = 0; i < pool.getParallelism(); i++) {
      pool.execute(
          () -> {
            missing.countDown();
            // A carrier that is busy leaves the next piece of work to another one.
            while (missing.getCount() > 0 && System.nanoTime() - endNanos < 0) {
              Thread.onSpinWait();
            }
          });
    }
  }

  /** A builder of threads whose every stretch between two waits is run by the given executor. */
  Thread.Builder.OfVirtual over(Executor carriers) {
    try {
      return (Thread.Builder.OfVirtual) builder.invokeExact(carriers);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
