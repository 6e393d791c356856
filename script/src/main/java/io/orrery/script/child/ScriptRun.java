package io.orrery.script.child;

import io.orrery.script.Documents;
import io.orrery.script.ScriptAnswer;
import io.orrery.script.ScriptCall;
import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import io.orrery.script.channel.ChildLimits;
import java.util.UUID;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** One execution of a stored procedure or trigger: the other side of {@code server.js}. */
final class ScriptRun {
  static final Source SERVER = Sandbox.resource("server.js");

  /** The part of its time after which a script is told to stop asking. */
  private static final double ASKING = 0.6;

  private final ScriptCall call;
  private final AskedDocuments documents;
  private final ChildLimits limits;
  private final Watch watch;
  private final StringBuilder log = new StringBuilder();

  private boolean asked;

  /** What a step threw: ends the script, however much of it the script catches. */
  private @Nullable RuntimeException fault;

  ScriptRun(ScriptCall call, AskedDocuments documents, ChildLimits limits, Watch watch) {
    this.call = call;
    this.documents = documents;
    this.limits = limits;
    this.watch = watch;
  }

  /** Runs the script to its end, callbacks included. */
  ScriptAnswer run(ScriptText script, Compiled compiled, Realm realm) {
    watch.begin();
    try {
      Value main = compiled.function(script, realm);
      ProxyExecutable host = this::host;
      Value server = realm.eval(SERVER).execute(host, setup());
      server.getMember("begin").executeVoid(main);
      Value step = server.getMember("step");
      while (step.execute().asBoolean()) {
        throwFault();
      }
      throwFault();
      Value body =
          server
              .getMember(call.kind() == ScriptCall.Kind.PRE_TRIGGER ? "request" : "response")
              .execute();
      return new ScriptAnswer(body.isNull() ? null : bounded(body.asString()), log.toString());
    } catch (ScriptRefused e) {
      throw e.with(log.toString());
    } catch (RuntimeException | Error e) {
      throwFault();
      throw realm.refusal(e, watch).with(log.toString());
    } finally {
      watch.end();
    }
  }

  private void throwFault() {
    if (fault != null) {
      throw fault;
    }
    ScriptRefused stopped = watch.stopped();
    if (stopped != null) {
      throw stopped;
    }
  }

  private String bounded(String body) {
    if (body.length() > limits.outputBytes()) {
      throw new ScriptRefused(
          ScriptRefused.Reason.TOO_LARGE,
          "The script answers more than " + limits.outputBytes() + " bytes");
    }
    return body;
  }

  private ProxyObject setup() {
    var members = new java.util.HashMap<String, Object>();
    members.put("kind", call.kind().word());
    members.put("selfLink", call.selfLink());
    members.put("altLink", call.altLink());
    members.put("operationType", call.operation().word());
    members.put("requestBody", call.request());
    members.put("responseBody", call.response());
    members.put("quota", documents.standing().quota());
    members.put("usage", documents.standing().usage());
    return ProxyObject.fromMap(members);
  }

  private @Nullable Object host(Value... given) {
    if (fault != null) {
      throw fault;
    }
    try {
      return switch (given[0].asString()) {
        case "perform" -> perform(given);
        case "accepts" -> accepts();
        case "newId" -> UUID.randomUUID().toString();
        case "log" -> log(given[1].asString());
        default -> throw new IllegalArgumentException("No such service: " + given[0]);
      };
    } catch (RuntimeException e) {
      fault = e;
      throw e;
    }
  }

  /** The first step always: whoever calls again and again gets on, however slow the machine is. */
  private boolean accepts() {
    boolean accepted =
        documents.accepts() && (!asked || watch.elapsedNanos() < ASKING * limits.time().toNanos());
    asked = true;
    return accepted;
  }

  private @Nullable Object log(String line) {
    if (log.length() + line.length() < ChildLimits.LOG_UNITS_MAX) {
      log.append(log.isEmpty() ? "" : "\n").append(line);
    }
    return null;
  }

  private ProxyArray perform(Value... given) {
    return switch (performed(step(given))) {
      case Documents.Reply.Done(var json, var continuation) ->
          ProxyArray.fromArray(0, json, continuation);
      case Documents.Reply.Failed(int number, String message) ->
          ProxyArray.fromArray(number, message, null);
    };
  }

  private Documents.Reply performed(Documents.Step step) {
    watch.beginStep();
    try {
      return documents.perform(step);
    } finally {
      watch.endStep();
    }
  }

  private static Documents.Step step(Value... given) {
    String link = given[2].asString();
    String body = text(given[3]);
    String condition = text(given[4]);
    return switch (given[1].asString()) {
      case "create" -> new Documents.Step.Create(link, required(body));
      case "upsert" -> new Documents.Step.Upsert(link, required(body), condition);
      case "read" -> new Documents.Step.Read(link, condition);
      case "replace" -> new Documents.Step.Replace(link, required(body), condition);
      case "delete" -> new Documents.Step.Delete(link, condition);
      case "query" ->
          new Documents.Step.Query(link, required(body), given[5].asInt(), text(given[6]));
      default -> throw new IllegalArgumentException("No such step: " + given[1]);
    };
  }

  private static @Nullable String text(Value value) {
    return value.isNull() ? null : value.asString();
  }

  private static String required(@Nullable String body) {
    if (body == null) {
      throw new IllegalArgumentException("A step without its text");
    }
    return body;
  }
}
