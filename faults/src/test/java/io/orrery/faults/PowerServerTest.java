package io.orrery.faults;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PowerServerTest {
  private static final String METRICS =
      """
      # TYPE orrery_vitals counter
      orrery_vitals_total{symptom="slow_event_loop_task"} 0.0
      orrery_vitals_total{symptom="slow_writer_turn"} 0.0
      orrery_vitals_total{symptom="uncaught_error"} 0.0
      """;

  @Test
  void whatAHealthyServerCountsIsNoFinding() {
    assertDoesNotThrow(() -> PowerServer.requireHealth(METRICS));
  }

  @Test
  void aServerThatCountedASymptomIsAFinding() {
    for (String symptom : new String[] {"task", "turn", "error"}) {
      String sick = METRICS.replace(symptom + "\"} 0.0", symptom + "\"} 2.0");
      Finding found = assertThrows(Finding.class, () -> PowerServer.requireHealth(sick));
      assertTrue(String.valueOf(found.getMessage()).contains(symptom + "=2.0"));
    }
  }

  @Test
  void countsThatAreMissingAreAFinding() {
    assertThrows(Finding.class, () -> PowerServer.requireHealth("orrery_partitions 1.0\n"));
  }
}
