package io.orrery.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.orrery.operation.Bytes;
import org.junit.jupiter.api.Test;

class EntityReaderTest {

  private static Entity entityWithDouble(String number) {
    return EntityReader.read(
        Bytes.utf8("{\"a\":\"" + number + "\",\"a@odata.type\":\"Edm.Double\"}"));
  }

  @Test
  void doubleOfManyDigitsIsRead() {
    Property property = entityWithDouble("0." + "1".repeat(998)).properties().getFirst();
    assertEquals("0.1111111111111111", property.text());
  }

  /** Checking one takes a time that grows with the square of its digits. */
  @Test
  void doubleOfMoreDigitsThanJsonMayHaveIsRefused() {
    assertThrows(RefusedRequest.class, () -> entityWithDouble("0." + "1".repeat(999)));
  }

  @Test
  void digitsOfOtherScriptsAreNoNumbers() {
    for (String type : new String[] {"Edm.Int32", "Edm.Int64", "Edm.Double"}) {
      String entity = "{\"a\":\"\u0667\",\"a@odata.type\":\"" + type + "\"}";
      assertThrows(RefusedRequest.class, () -> EntityReader.read(Bytes.utf8(entity)), type);
    }
  }
}
