package io.orrery.routing.definition;

import io.orrery.operation.Body;
import io.orrery.operation.ScriptKind;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a client may say about a script.
 *
 * @param source its JavaScript
 * @param trigger when it runs; null unless it is a trigger
 */
public record ScriptDefinition(
    ScriptKind kind, String id, String source, @Nullable Trigger trigger) {
  /** The most that the source may be, in UTF-8. */
  public static final int SOURCE_BYTES_MAX = 256 << 10;

  /** When a trigger runs. */
  public record Trigger(Moment moment, Occasion occasion) {}

  /** Before or after the operation that it goes with. */
  public enum Moment {
    PRE("Pre"),
    POST("Post");

    private final String text;

    Moment(String text) {
      this.text = text;
    }
  }

  /** The operations that it goes with. */
  public enum Occasion {
    ALL("All"),
    CREATE("Create"),
    UPDATE("Update"),
    DELETE("Delete"),
    REPLACE("Replace");

    private final String text;

    Occasion(String text) {
      this.text = text;
    }
  }

  /**
   * Reads what a client wrote. The size of the source is not looked at here.
   *
   * @throws MalformedBody naming the rule that it breaks
   */
  public static ScriptDefinition parse(ScriptKind kind, Body body) {
    return read(kind, Members.of(body, noun(kind)));
  }

  /** Reads what {@link #json} wrote. */
  public static ScriptDefinition stored(ScriptKind kind, Map<String, Value> members) {
    return read(kind, Members.of(new Value.Obj(members), noun(kind)));
  }

  private static ScriptDefinition read(ScriptKind kind, Members given) {
    return new ScriptDefinition(
        kind,
        ResourceName.check(given.requiredText("id")),
        given.requiredText("body"),
        kind == ScriptKind.TRIGGER ? trigger(given) : null);
  }

  private static Trigger trigger(Members given) {
    List<String> moments = Arrays.stream(Moment.values()).map(moment -> moment.text).toList();
    List<String> occasions =
        Arrays.stream(Occasion.values()).map(occasion -> occasion.text).toList();
    String moment = given.oneOf("triggerType", given.requiredText("triggerType"), moments);
    String occasion =
        given.oneOf("triggerOperation", given.requiredText("triggerOperation"), occasions);
    return new Trigger(
        Moment.values()[moments.indexOf(moment)], Occasion.values()[occasions.indexOf(occasion)]);
  }

  private static String noun(ScriptKind kind) {
    return switch (kind) {
      case STORED_PROCEDURE -> "The stored procedure";
      case TRIGGER -> "The trigger";
      case USER_DEFINED_FUNCTION -> "The user defined function";
    };
  }

  public int sourceBytes() {
    return source.getBytes(StandardCharsets.UTF_8).length;
  }

  /** The members as clients see them and as they are stored. */
  public Value.Obj json() {
    return new Members.Writer()
        .put("id", id)
        .put("body", source)
        .put("triggerType", trigger == null ? null : trigger.moment.text)
        .put("triggerOperation", trigger == null ? null : trigger.occasion.text)
        .done();
  }

  public Body body() {
    return Body.json(Json.write(json()));
  }
}
