package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestMeterTest {
  @Test
  void answersAreCountedByRouteStatusAndTime() {
    var meter = new RequestMeter();
    meter.answered("ReadItem", 200, 90_000);
    meter.answered("ReadItem", 200, 2_000_000);
    meter.answered("ReadItem", 404, 1_000_000);
    meter.answered("CreateItem", 201, 20_000_000_000L);
    String text = meter.text();
    for (String line :
        List.of(
            "# TYPE orrery_request_seconds histogram",
            "orrery_request_seconds_bucket{route=\"ReadItem\",status=\"200\",le=\"0.0001\"} 1",
            "orrery_request_seconds_bucket{route=\"ReadItem\",status=\"200\",le=\"0.001\"} 1",
            "orrery_request_seconds_bucket{route=\"ReadItem\",status=\"200\",le=\"0.0025\"} 2",
            "orrery_request_seconds_bucket{route=\"ReadItem\",status=\"200\",le=\"1\"} 2",
            "orrery_request_seconds_sum{route=\"ReadItem\",status=\"200\"} 0.00209",
            "orrery_request_seconds_count{route=\"ReadItem\",status=\"404\"} 1",
            "orrery_request_seconds_bucket{route=\"CreateItem\",status=\"201\",le=\"10\"} 0",
            "orrery_request_seconds_bucket{route=\"CreateItem\",status=\"201\",le=\"+Inf\"} 1")) {
      assertTrue(text.contains(line + "\n"), () -> line + " is missing in\n" + text);
    }
  }
}
