package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A suite fails when the shared server complained, or counted a symptom, meanwhile. */
final class QuietServer implements AfterAllCallback {
  private static final Set<String> TOLD = new HashSet<>();

  @Override
  public void afterAll(ExtensionContext context) {
    List<String> complaints = SharedServer.server().complaints();
    List<String> unheard = complaints.stream().filter(TOLD::add).toList();
    assertEquals(List.of(), unheard, "complaints in the server's log");
    List<String> symptoms = symptoms().stream().filter(TOLD::add).toList();
    assertEquals(List.of(), symptoms, "what never happens in a healthy server");
  }

  /**
   * Counts other than zero; each value is reported once, to the suite that saw it first. Slow tasks
   * of event loops are left out: a suite is the first to use much of the code, uncompiled.
   */
  private static List<String> symptoms() {
    return SharedServer.server().nodeEndpoints().stream()
        .flatMap(QuietServer::metrics)
        .filter(line -> line.startsWith("orrery_vitals_total{") && !line.endsWith(" 0.0"))
        .filter(line -> !line.contains("slow_event_loop_task"))
        .toList();
  }

  private static Stream<String> metrics(URI node) {
    Rest rest = Rest.to(node, SharedServer.PRIMARY);
    return rest.get("/metrics").unsigned().send().expect(200).text().lines();
  }
}
