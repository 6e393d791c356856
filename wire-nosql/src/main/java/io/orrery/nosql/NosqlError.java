package io.orrery.nosql;

import io.orrery.http.JsonText;

/**
 * An error as clients see it.
 *
 * @param substatus 0 sends no header
 * @param text the message as it stands before the activity id
 */
record NosqlError(int status, int substatus, String code, String text) {

  /** With the bare text as message, as the service tells of refused authorisation. */
  static NosqlError plain(int status, String code, String text) {
    return new NosqlError(status, 0, code, text);
  }

  /** With the text inside a list of errors, as the service tells of everything else. */
  static NosqlError listed(int status, String code, String text) {
    return listed(status, 0, code, text);
  }

  static NosqlError listed(int status, int substatus, String code, String text) {
    return new NosqlError(
        status, substatus, code, "Message: {\"Errors\":[\"" + JsonText.escape(text) + "\"]}");
  }

  /** The body: every error needs one, the Node SDK fails on an empty one. */
  byte[] body(String activityId, String uri) {
    String message = text + "\r\nActivityId: " + activityId + ", Request URI: " + uri;
    return JsonText.utf8(
        "{\"code\":\"" + code + "\",\"message\":\"" + JsonText.escape(message) + "\"}");
  }
}
