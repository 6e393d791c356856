package io.orrery.model;

import io.orrery.operation.Body;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.Refusal;
import io.orrery.operation.ScriptKind;
import io.orrery.value.Json;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JavaScript of the model, and what it answers. */
final class Scripts {
  static final String PROCEDURE = "steps";
  static final String BEFORE = "before";
  static final String AFTER = "after";

  private static final int UNIQUE_KEY = -409;

  /** Writes, reads what it touched, and ends or throws with all that it was answered. */
  private static final String STEPS =
      """
      function steps(writes, touched, fails) {
        const link = __.getAltLink();
        const results = [], found = [];
        let taken = false;
        const keep = (list) => (error, item) => {
          const unique = error && String(error.body).includes('Unique');
          taken = taken || unique;
          list.push(unique ? -409 : error ? error.number : item.id ? item : 0);
          if (results.length < writes.length || found.length < touched.length) {
            return;
          }
          if (!fails && !taken) {
            __.response.setBody([results, found]);
          } else {
            __.queryDocuments(link, 'SELECT VALUE c.id FROM c', (e, ids) => {
              throw new Error('<' + JSON.stringify([results, found, ids]) + '>'); });
          }
        };
        for (const w of writes) {
          const at = link + '/docs/' + w.id, options = w.etag ? {etag: w.etag} : {};
          if (w.op === 'create') __.createDocument(link, w.item, keep(results));
          if (w.op === 'upsert') __.upsertDocument(link, w.item, options, keep(results));
          if (w.op === 'replace') __.replaceDocument(at, w.item, options, keep(results));
          if (w.op === 'delete') __.deleteDocument(at, options, keep(results));
        }
        for (const id of touched) __.readDocument(link + '/docs/' + id, {}, keep(found));
      }
      """;

  private static final String NOTE_BEFORE =
      """
      function before() {
        const request = getContext().getRequest(), item = request.getBody();
        item.n += 1;
        request.setBody(item);
        __.upsertDocument(__.getAltLink(),
          {id: 'before', pk: item.pk, n: item.n, tag: 'note', u: 50, list: []});
      }
      """;

  private static final String NOTE_AFTER =
      """
      function after() {
        const item = getContext().getResponse().getBody();
        __.upsertDocument(__.getAltLink(),
          {id: 'after', pk: item.pk, n: item.n, tag: 'note', u: 51, list: []},
          () => { if (item.n > %d) throw new Error('too large'); });
      }
      """
          .formatted(Request.Triggered.NUMBER_MAX);

  private Scripts() {}

  /** What creates them in the container. */
  static List<Operation> definitions() {
    return List.of(
        definition(ScriptKind.STORED_PROCEDURE, PROCEDURE, STEPS, null),
        definition(ScriptKind.TRIGGER, BEFORE, NOTE_BEFORE, "Pre"),
        definition(ScriptKind.TRIGGER, AFTER, NOTE_AFTER, "Post"));
  }

  private static Operation definition(
      ScriptKind kind, String id, String text, @Nullable String moment) {
    var members = new LinkedHashMap<String, Value>();
    members.put("id", Value.of(id));
    members.put("body", Value.of(text));
    if (moment != null) {
      members.put("triggerType", Value.of(moment));
      members.put("triggerOperation", Value.of("All"));
    }
    return new Operation.CreateScript(
        Operations.CONTAINER, kind, Body.json(Json.write(new Value.Obj(members))));
  }

  static String arguments(Request.Script script) {
    var writes = new ArrayList<Value>();
    script.writes().forEach(write -> writes.add(step(write)));
    var touched = script.touched().stream().<Value>map(Value::of).toList();
    return new String(
        Json.write(
            new Value.Arr(
                List.of(new Value.Arr(writes), new Value.Arr(touched), Value.of(script.fails())))),
        StandardCharsets.UTF_8);
  }

  private static Value step(Request.One write) {
    return switch (write) {
      case Request.Create(Name name, Content content) ->
          step("create", name.id(), content.json(name), Condition.Any.ANY);
      case Request.Upsert(Name name, Content content, Condition condition) ->
          step("upsert", name.id(), content.json(name), condition);
      case Request.Replace replace ->
          step(
              "replace",
              replace.name().id(),
              replace.content().json(replace.renamed()),
              replace.condition());
      case Request.Delete(Name name, Condition condition) ->
          step("delete", name.id(), null, condition);
      default -> throw new IllegalArgumentException("No step of a script: " + write);
    };
  }

  private static Value step(String op, String id, @Nullable String item, Condition condition) {
    var members = new LinkedHashMap<String, Value>();
    members.put("op", Value.of(op));
    members.put("id", Value.of(id));
    if (item != null) {
      members.put("item", Json.parse(item));
    }
    if (condition instanceof Condition.Matches(Version.Stamp stamp)) {
      members.put("etag", Value.of(Items.etag(stamp).text()));
    }
    return new Value.Obj(members);
  }

  /** What the procedure answered, or threw. */
  static Result result(Outcome outcome) {
    return switch (outcome) {
      case Outcome.ScriptDone(Body body, String log) -> ran(true, lists(body.bytes().array()));
      case Refusal.ScriptFailed failed when failed.message().contains("<[") -> {
        String text = failed.message();
        String thrown = text.substring(text.indexOf("<[") + 1, text.indexOf("]>") + 1);
        yield ran(false, lists(thrown.getBytes(StandardCharsets.UTF_8)));
      }
      case Refusal.ScriptFailed failed ->
          throw new IllegalStateException("The script failed: " + failed);
      case Refusal refusal -> PartitionTasks.refused(refusal);
      default -> throw new IllegalStateException("Unexpected outcome " + outcome);
    };
  }

  /** The deepest item is nested deeper in a list than a request may be. */
  private static List<Value> lists(byte[] json) {
    return ((Value.Arr) Json.parseStored(json)).items();
  }

  private static Result ran(boolean whole, List<Value> told) {
    var reads = new ArrayList<>(results(told.get(1)));
    if (!whole) {
      List<Value> ids = ((Value.Arr) told.get(2)).items();
      reads.add(new Result.Ids(ids.stream().map(Items::text).sorted().toList()));
    }
    return new Result.Ran(whole, results(told.get(0)), reads);
  }

  private static List<Result> results(Value told) {
    return ((Value.Arr) told).items().stream().map(Scripts::result).toList();
  }

  private static Result result(Value told) {
    return switch (told) {
      case Value.Obj item -> new Result.Shown(Items.name(item), Items.content(item));
      default ->
          switch (Items.number(told)) {
            case 0 -> Result.Plain.DELETED;
            case 404 -> Result.Refused.NOT_FOUND;
            case 409 -> Result.Refused.CONFLICT;
            case 412 -> Result.Refused.PRECONDITION;
            case UNIQUE_KEY -> Result.Refused.UNIQUE_KEY;
            default -> throw new IllegalStateException("Unexpected number " + told);
          };
    };
  }
}
