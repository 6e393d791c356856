package io.orrery.operation;

import java.io.Serializable;

/** What must hold of the present version for an operation to go on. */
public sealed interface Precondition extends Serializable {

  /** Nothing is asked. */
  enum None implements Precondition {
    NONE
  }

  /** The resource has this etag (If-Match). */
  record EtagMatches(Etag etag) implements Precondition {}

  /** The present version was committed at this time, for protocols whose etags are times. */
  record CommittedAt(long commitTicks) implements Precondition {}

  /** The resource exists (If-Match: *). */
  record Exists() implements Precondition {}

  /** The resource has another etag, or does not exist (If-None-Match). */
  record EtagDiffers(Etag etag) implements Precondition {}

  /** The resource does not exist (If-None-Match: *). */
  record Absent() implements Precondition {}

  Precondition NONE = None.NONE;
}
