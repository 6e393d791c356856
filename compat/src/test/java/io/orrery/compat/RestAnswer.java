package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.http.HttpHeaders;

/** What the server answered to a request made by hand. */
record RestAnswer(int status, HttpHeaders headers, String text) {
  private static final ObjectMapper JSON = new ObjectMapper();

  JsonNode json() {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError("not JSON: " + text(), e);
    }
  }

  /** The value of a header, empty when it is absent. */
  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  double charge() {
    return Double.parseDouble(header("x-ms-request-charge"));
  }

  RestAnswer expect(int expected) {
    assertEquals(expected, status, this::text);
    return this;
  }

  /** Expects a refusal with its substatus (0 when there is none) and a message for people. */
  RestAnswer refused(int expected, int substatus) {
    String told = header("x-ms-substatus");
    assertEquals(
        expected + "/" + substatus, status + "/" + (told.isEmpty() ? "0" : told), this::text);
    assertEquals("application/json", header("content-type"), this::text);
    assertEquals(
        false, json().path("code").asText().isEmpty(), () -> "no code in the body: " + text());
    assertEquals(false, json().path("message").asText().isEmpty(), () -> "no message: " + text());
    return this;
  }
}
