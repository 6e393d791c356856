package io.orrery.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MemberTextsTest {
  private static List<MemberTexts.Part> parse(String text) {
    return MemberTexts.parse(text.getBytes(StandardCharsets.UTF_8), "body");
  }

  private static MemberTexts.Part first(String text) {
    return parse(text).getFirst();
  }

  private static String textOf(String array) {
    return Objects.requireNonNull(first(array).text()).bytes().utf8();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":[1,{\"b\":\"}\"}]}",
        "\"text with \\\"quotes\\\" and \u00fcml\u00e4uts\"",
        "12.50",
        "-1e3",
        "true",
        "null",
        "[]",
        "{ \"spaced\" : 1 }",
        "{\"twice\":1,\"twice\":2}"
      })
  void theMemberIsTheTextThatItWas(String value) {
    assertEquals(value, textOf("[{\"x\":1,\"body\":" + value + ",\"y\":2}]"));
    assertEquals(value, textOf("[ { \"body\" : " + value + " } ]"));
    assertEquals(value, textOf("[{\"body\":" + value + "}]"));
  }

  @Test
  void otherMembersAreValues() {
    MemberTexts.Part part = first("[{\"x\":[1],\"body\":{},\"y\":\"z\"}]");
    assertEquals(Json.parse("{\"x\":[1],\"y\":\"z\"}"), part.members());
    assertNull(first("[{\"x\":1}]").text());
    assertEquals(Json.parse("7"), first("[7]").members());
  }

  @Test
  void whatIsNestedTooDeeplyBehindTheMemberIsRefused() {
    String deep = "[".repeat(200) + "]".repeat(200);
    assertThrows(MalformedBody.class, () -> parse("[{\"body\":{}},{\"x\":" + deep + "}]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[",
        "[{\"body\":{]",
        "[{\"body\":{\"a\":}}]",
        "[{\"body\":tru}]",
        "[{\"body\":\"open}]",
        "[{\"body\":1,\"body\":2}]",
        "[{\"x\":1,\"x\":2}]",
        "[] []",
        "{\"body\":[]}",
        "3"
      })
  void brokenTextIsRefused(String text) {
    assertThrows(MalformedBody.class, () -> parse(text));
  }
}
