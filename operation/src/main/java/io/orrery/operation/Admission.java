package io.orrery.operation;

/** What a resource token is worth when it is shown. */
public sealed interface Admission {

  /** It is ours and in force; how far it reaches is decided per operation. */
  record Granted(Grant grant) implements Admission {}

  /** It is not a token. */
  record Unreadable(String message) implements Admission {}

  /** It was changed, has ended or was revoked. */
  record Refused(String message) implements Admission {}
}
