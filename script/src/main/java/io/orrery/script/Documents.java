package io.orrery.script;

import org.jspecify.annotations.Nullable;

/**
 * What a script may do with the documents of its logical partition, on the thread that runs it in
 * the server.
 */
public interface Documents {

  /** Does one step at once. What it throws ends the script, whatever that catches. */
  Reply perform(Step step);

  /** Whether there still is room for another step; asked before the first and behind each. */
  boolean accepts();

  /** What their collection may hold at most in one partition, as headers tell it. */
  String quota();

  /** How much of that is used. */
  String usage();

  /** One operation. Links and texts are the script's: not to be trusted. */
  sealed interface Step {
    record Create(String collectionLink, String document) implements Step {}

    record Upsert(String collectionLink, String document, @Nullable String etag) implements Step {}

    record Read(String documentLink, @Nullable String knownEtag) implements Step {}

    record Replace(String documentLink, String document, @Nullable String etag) implements Step {}

    record Delete(String documentLink, @Nullable String etag) implements Step {}

    /**
     * A page of rows.
     *
     * @param query a JSON text: the SQL as a string, or an object with query and parameters
     * @param pageSize -1 when the server may choose
     */
    record Query(String collectionLink, String query, int pageSize, @Nullable String continuation)
        implements Step {}
  }

  /** How a step ended. */
  sealed interface Reply {
    /**
     * It was done.
     *
     * @param json the document, or the rows; null where there is nothing to tell
     */
    record Done(@Nullable String json, @Nullable String continuation) implements Reply {}

    /**
     * It was refused.
     *
     * @param number the status that a client would get
     */
    record Failed(int number, String message) implements Reply {}
  }
}
