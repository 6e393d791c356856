package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokenTest {

  @Test
  void everyFormIsRead() {
    assertEquals(Map.of("0", 42L), SessionToken.parse("0:42"));
    assertEquals(Map.of("0", 42L), SessionToken.parse("0:-1#42"));
    assertEquals(Map.of("0", 42L), SessionToken.parse("0:7#42#3=9#4=-1"));
    assertEquals(Map.of("0", 42L), SessionToken.parse("0:42#3=9"));
    assertEquals(Map.of("5", 42L), SessionToken.parse("rid=:5:-1#42"));
    assertEquals(Map.of("0", 9L, "1", 3L), SessionToken.parse(" 0:-1#4 ,1:3, 0:9"));
    assertEquals(Map.of("0", -1L), SessionToken.parse("0:-1"));
    assertEquals(Map.of("0", 123_456_789_012_345_678L), SessionToken.parse("0:123456789012345678"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        "0",
        "0:",
        ":1",
        "0:x",
        "0:1#",
        "0:1#2#",
        "0:1#2#3",
        "0:1#2#3=",
        "0:1#2#=4",
        "0:1#2#-3=4",
        "a:b:0:1",
        "a::1",
        "::1",
        "0:1,",
        "0:1 2",
        "0:--1",
        "0:1#2=3#4",
        "0:1234567890123456789"
      })
  void othersAreRefused(String token) {
    assertThrows(RefusedRequest.class, () -> SessionToken.parse(token));
  }
}
