package io.orrery.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class ResourceIdTest {
  // The ids of a real account's database, container, first item and first range.
  private static final int DATABASE = 0x0C907B00;
  private static final int CONTAINER = 0x8D65647A;

  @Test
  void idsHaveTheServicesForm() {
    assertEquals("DJB7AA==", ResourceId.database(DATABASE));
    String container = ResourceId.container(DATABASE, CONTAINER);
    assertEquals("DJB7AI1lZHo=", container);
    assertEquals("DJB7AI1lZHoBAAAAAAAAAA==", ResourceId.item(container, 1));
    assertEquals("DJB7AI1lZHoCAAAAAAAAUA==", ResourceId.range(container, 2));
    assertEquals("AUAA", ResourceId.offer(0x4001));
  }

  @Test
  void theWayBackIsFound() {
    String container = ResourceId.container(DATABASE, CONTAINER);
    long counter = (5L << 40) + 77;
    assertEquals(counter, ResourceId.counterOf(container, ResourceId.item(container, counter)));
    assertEquals(-1, ResourceId.counterOf(container, ResourceId.item("DJB7AI1lZHs=", counter)));
    assertEquals(-1, ResourceId.counterOf(container, container));
    assertEquals(-1, ResourceId.counterOf(container, "not a rid"));
    assertEquals("DJB7AA==", ResourceId.databaseOf(container));
    assertNull(ResourceId.decode("abc"));
    assertNull(ResourceId.decode("a*c="));
  }

  @Test
  void etagsEndWithTheTimeOfTheCommit() {
    assertEquals(
        "\"00000007-0001-0002-0098-6ac9ff4d967f\"",
        Etag.of((1L << 32) + 7, 2, 0x6ac9ff4dL * Ticks.PER_SECOND + 0x98967f).text());
  }
}
