package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A suite fails when the shared server complained, or counted a symptom, meanwhile. JUnit finds it
 * by itself; servers of a suite's own are looked at when they are {@linkplain OrreryProcess#stop
 * stopped}.
 */
public final class QuietServer implements AfterAllCallback {
  private static final Set<String> TOLD = new HashSet<>();

  /** Each complaint and each count is reported once, to the suite that saw it first. */
  @Override
  public void afterAll(ExtensionContext context) {
    if (!SharedServer.isStarted()) {
      return;
    }
    List<String> complaints = SharedServer.server().complaints();
    List<String> unheard = complaints.stream().filter(TOLD::add).toList();
    assertEquals(List.of(), unheard, "complaints in the server's log");
    List<String> symptoms = SharedServer.server().symptoms().stream().filter(TOLD::add).toList();
    assertEquals(List.of(), symptoms, QuietServer::warnings);
  }

  private static String warnings() {
    return SharedServer.server()
        .log()
        .lines()
        .filter(line -> line.contains("WARN"))
        .collect(Collectors.joining("\n", "what never happens in a healthy server\n", "\n"));
  }
}
