package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A suite fails when the shared server complained of a fault or of a leak meanwhile. */
final class QuietServer implements AfterAllCallback {
  private static final Set<String> TOLD = new HashSet<>();

  @Override
  public void afterAll(ExtensionContext context) {
    List<String> complaints = SharedServer.server().complaints();
    List<String> unheard = complaints.stream().filter(TOLD::add).toList();
    assertEquals(List.of(), unheard, "complaints in the server's log");
  }
}
