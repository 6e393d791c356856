package io.orrery.table;

import io.orrery.http.JsonText;
import io.orrery.operation.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * An error as clients see it.
 *
 * @param text the message as it stands before the request's id
 * @param throttled set when the client is to try again later
 */
record TableError(int status, String code, String text, Refusal.@Nullable Throttled throttled) {

  static TableError of(int status, String code, String text) {
    return new TableError(status, code, text, null);
  }

  static TableError invalidInput(String text) {
    return of(400, "InvalidInput", text);
  }

  /** The same, of one operation of a batch. */
  TableError at(int index) {
    return new TableError(status, code, index + ":" + text + "\n", throttled);
  }

  byte[] body(String requestId) {
    String value = text + "\nRequestID:" + requestId + "\n";
    return JsonText.utf8(
        "{\"odata.error\":{\"code\":\""
            + code
            + "\",\"message\":{\"lang\":\"en-us\",\"value\":\""
            + JsonText.escape(value)
            + "\"}}}\r\n");
  }
}
