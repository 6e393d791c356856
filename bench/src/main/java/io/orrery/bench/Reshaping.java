package io.orrery.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A split or merge as the management API tells of it. */
record Reshaping(int port, String json) {
  private static final Pattern RANGE = Pattern.compile("\"id\":\"(\\d+)\",\"minInclusive\"");
  private static final long POLL_MILLIS = 20;

  /** Begins to split the one partition by its data. */
  static Reshaping split(int port) {
    return split(port, Account.DATABASE);
  }

  /** The same for the container in the database of that name. */
  static Reshaping split(int port, String database) {
    String first = ranges(port, database).getFirst();
    return begin(port, partitions(database) + "/" + first + "/split", "{}");
  }

  /** Begins to merge the two partitions. */
  static Reshaping merge(int port) {
    return merge(port, Account.DATABASE);
  }

  /** The same for the container in the database of that name. */
  static Reshaping merge(int port, String database) {
    String ids = String.join("\",\"", ranges(port, database));
    return begin(port, partitions(database) + "/merge", "{\"ids\":[\"" + ids + "\"]}");
  }

  private static String partitions(String database) {
    return "/_orrery/databases/" + database + "/containers/items/partitions";
  }

  private static List<String> ranges(int port, String database) {
    String answer = ask(port, "GET", partitions(database), "", 200);
    return RANGE.matcher(answer).results().map(MatchResult::group).map(Reshaping::digits).toList();
  }

  private static String digits(String text) {
    return text.replaceAll("\\D", "");
  }

  private static Reshaping begin(int port, String path, String body) {
    return new Reshaping(port, ask(port, "POST", path, body, 202));
  }

  private static String ask(int port, String verb, String path, String body, int status) {
    return Answer.to(new Account().manage(verb, path, body), port).expect(status).body();
  }

  Reshaping now() {
    return new Reshaping(port, ask(port, "GET", "/_orrery/operations/" + text("id"), "", 200));
  }

  /** A fault unless it ends well. */
  Reshaping awaitEnd() throws InterruptedException {
    Reshaping last = this;
    while (!last.hasEnded()) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      last = last.now();
    }
    if (!last.text("phase").equals("Succeeded")) {
      throw new BenchFault("It did not succeed: " + last.json);
    }
    return last;
  }

  boolean hasEnded() {
    return !json.contains("\"ended\":null");
  }

  double seconds() {
    var passed = Duration.between(Instant.parse(text("began")), Instant.parse(text("ended")));
    return passed.toNanos() / 1e9;
  }

  double freezeMillis() {
    return Double.parseDouble(text("freezeMillis"));
  }

  private String text(String member) {
    Matcher found = Pattern.compile("\"" + member + "\":\"?([^\",}]+)").matcher(json);
    if (!found.find()) {
      throw new BenchFault("There is no " + member + " in " + json);
    }
    return found.group(1);
  }
}
