package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  @Test
  void plainOptionsAreUnderstood() {
    assertEquals(Optional.of(Map.of()), of("serve"));
    assertEquals(
        Optional.of(
            Map.of(
                Setting.PORT, "0",
                Setting.HOST, "::1",
                Setting.MEMORY, "true",
                Setting.PRIMARY_KEY, "a==")),
        of("serve", "--port", "0", "--host=::1", "--memory", "--key=a=="));
    assertEquals(
        Optional.of(Map.of(Setting.HOST_NAME, "a.test,b.test")),
        of("serve", "--host-name", "a.test", "--host-name=b.test"));
    assertEquals(Optional.of(Map.of(Setting.MEMORY, "false")), of("serve", "--memory", "false"));
  }

  @Test
  void everythingElseIsLeftToTheFullParser() {
    assertEquals(Optional.empty(), of());
    assertEquals(Optional.empty(), of("keys"));
    assertEquals(Optional.empty(), of("serve", "--help"));
    assertEquals(Optional.empty(), of("serve", "--port"));
    assertEquals(Optional.empty(), of("serve", "--port", "--memory"));
    assertEquals(Optional.empty(), of("serve", "--port", "1", "--port", "2"));
    assertEquals(Optional.empty(), of("serve", "stray"));
    assertEquals(Optional.empty(), of("serve", "--memory", "true", "stray"));
  }

  private static Optional<Map<Setting, String>> of(String... arguments) {
    return Arguments.ofServe(arguments);
  }
}
