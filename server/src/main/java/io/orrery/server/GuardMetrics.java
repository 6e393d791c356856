package io.orrery.server;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orrery.http.OpenConnections;
import io.orrery.operation.Memory;
import io.orrery.operation.Vitals;
import java.util.Locale;

/** Figures of what keeps one client from taking the server from the others. */
final class GuardMetrics {
  private GuardMetrics() {}

  static void bind(MeterRegistry into, OpenConnections connections) {
    Memory memory = Memory.process();
    for (Memory.Lane lane : Memory.Lane.values()) {
      String name = lane.name().toLowerCase(Locale.ROOT);
      Gauge.builder("orrery.memory", memory, account -> account.takenBytes(lane))
          .baseUnit("bytes")
          .tag("lane", name)
          .description("Memory that requests make the server hold.")
          .register(into);
      Gauge.builder("orrery.memory.bound", memory, account -> account.boundBytes(lane))
          .baseUnit("bytes")
          .tag("lane", name)
          .description("Memory that requests may make the server hold.")
          .register(into);
    }
    for (Vitals.Symptom symptom : Vitals.Symptom.values()) {
      FunctionCounter.builder("orrery.vitals", symptom, Vitals::occurrences)
          .tag("symptom", symptom.name().toLowerCase(Locale.ROOT))
          .description("What never happens in a healthy server.")
          .register(into);
    }
    Gauge.builder("orrery.connections", connections, OpenConnections::open)
        .description("Connections of clients.")
        .register(into);
    FunctionCounter.builder("orrery.connections.refused", connections, OpenConnections::refused)
        .description("Connections closed at once because there were too many.")
        .register(into);
  }
}
