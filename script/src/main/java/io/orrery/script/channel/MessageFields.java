package io.orrery.script.channel;

import io.orrery.operation.Bytes;
import io.orrery.script.ScriptAnswer;
import io.orrery.script.ScriptCall;
import io.orrery.script.ScriptRefused;
import io.orrery.script.ScriptText;
import io.orrery.value.Json;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.util.ArrayList;
import java.util.List;

/** Messages as fields: a byte for the kind, then what the message holds. */
final class MessageFields {
  private static final int READY = 0;
  private static final int RUN = 1;
  private static final int ASK = 2;
  private static final int REPLIED = 3;
  private static final int ABANDON = 4;
  private static final int DONE = 5;
  private static final int REFUSED = 6;
  private static final int CALLS = 7;
  private static final int RESULTS = 8;

  private MessageFields() {}

  static void put(FieldWriter fields, Message message) {
    switch (message) {
      case Message.Ready() -> fields.putByte(READY);
      case Message.Run run -> {
        fields.putByte(RUN);
        put(fields, run);
      }
      case Message.Ask(var step) -> {
        fields.putByte(ASK);
        StepFields.put(fields, step);
      }
      case Message.Replied(var reply, boolean accepts) -> {
        fields.putByte(REPLIED);
        fields.putFlag(accepts);
        StepFields.put(fields, reply);
      }
      case Message.Abandon() -> fields.putByte(ABANDON);
      case Message.Done(ScriptAnswer(var body, String log)) -> {
        fields.putByte(DONE);
        fields.putOptional(body);
        fields.putText(log);
      }
      case Message.Refused(var why) -> {
        fields.putByte(REFUSED);
        put(fields, why);
      }
      case Message.Calls calls -> {
        fields.putByte(CALLS);
        put(fields, calls);
      }
      case Message.Results(var values, var refused) -> {
        fields.putByte(RESULTS);
        fields.putInt(values.size());
        values.forEach(value -> ValueFields.put(fields, value));
        fields.putFlag(refused != null);
        if (refused != null) {
          put(fields, refused);
        }
      }
    }
  }

  static Message take(FieldReader fields) throws IOException {
    try {
      int kind = fields.takeByte();
      return switch (kind) {
        case READY -> new Message.Ready();
        case RUN -> takeRun(fields);
        case ASK -> new Message.Ask(StepFields.takeStep(fields));
        case REPLIED -> {
          boolean accepts = fields.takeFlag();
          yield new Message.Replied(StepFields.takeReply(fields), accepts);
        }
        case ABANDON -> new Message.Abandon();
        case DONE -> new Message.Done(new ScriptAnswer(fields.takeOptional(), fields.takeText()));
        case REFUSED -> new Message.Refused(takeRefused(fields));
        case CALLS -> takeCalls(fields);
        case RESULTS -> takeResults(fields);
        default -> throw new IOException("A frame has the unknown kind " + kind);
      };
    } catch (BufferUnderflowException e) {
      throw new IOException("A frame is cut off", e);
    }
  }

  private static void put(FieldWriter fields, Message.Run run) {
    fields.putLong(run.patienceNanos());
    put(fields, run.script());
    ScriptCall call = run.call();
    fields.putText(call.kind().name());
    fields.putText(call.selfLink());
    fields.putText(call.altLink());
    fields.putText(call.operation().name());
    fields.putOptional(call.request());
    fields.putOptional(call.response());
    fields.putFlag(run.standing().accepts());
    fields.putText(run.standing().quota());
    fields.putText(run.standing().usage());
  }

  private static Message takeRun(FieldReader fields) throws IOException {
    return new Message.Run(
        fields.takeLong(),
        takeText(fields),
        new ScriptCall(
            one(ScriptCall.Kind.class, fields),
            fields.takeText(),
            fields.takeText(),
            one(ScriptCall.Operation.class, fields),
            fields.takeOptional(),
            fields.takeOptional()),
        new Message.Standing(fields.takeFlag(), fields.takeText(), fields.takeText()));
  }

  private static void put(FieldWriter fields, ScriptText text) {
    fields.putText(text.id());
    fields.putText(text.body());
  }

  private static ScriptText takeText(FieldReader fields) throws IOException {
    return new ScriptText(fields.takeText(), fields.takeText());
  }

  private static void put(FieldWriter fields, ScriptRefused why) {
    fields.putText(why.reason().name());
    fields.putInt(why.number());
    fields.putText(why.text());
    fields.putText(why.log());
  }

  private static ScriptRefused takeRefused(FieldReader fields) throws IOException {
    return new ScriptRefused(
            one(ScriptRefused.Reason.class, fields),
            fields.takeInt(),
            cut(fields.takeText(), ChildLimits.TEXT_UNITS_MAX))
        .with(cut(fields.takeText(), ChildLimits.LOG_UNITS_MAX));
  }

  private static String cut(String text, int unitsMax) {
    return text.length() <= unitsMax ? text : text.substring(0, unitsMax);
  }

  private static void put(FieldWriter fields, Message.Calls calls) {
    fields.putLong(calls.functions());
    fields.putInt(calls.texts().size());
    calls.texts().forEach(text -> put(fields, text));
    fields.putInt(calls.calls().size());
    for (Message.FunctionCall call : calls.calls()) {
      fields.putText(call.name());
      fields.putBytes(call.arguments().array());
    }
  }

  private static Message takeCalls(FieldReader fields) throws IOException {
    long functions = fields.takeLong();
    List<ScriptText> texts = new ArrayList<>();
    for (int left = fields.takeCount(); left > 0; left--) {
      texts.add(takeText(fields));
    }
    int count = fields.takeCount();
    List<Message.FunctionCall> calls = new ArrayList<>(count);
    for (int left = count; left > 0; left--) {
      calls.add(new Message.FunctionCall(fields.takeText(), Bytes.of(fields.takeBytes())));
    }
    return new Message.Calls(functions, texts, calls);
  }

  private static Message takeResults(FieldReader fields) throws IOException {
    int count = fields.takeCount();
    List<Value> values = new ArrayList<>(count);
    for (int left = count; left > 0; left--) {
      try {
        values.add(ValueFields.take(fields, Json::parseWritten));
      } catch (MalformedBody e) {
        return new Message.Results(
            values,
            new ScriptRefused(
                ScriptRefused.Reason.FAILED,
                0,
                "A function gave what is no JSON: " + e.getMessage()));
      }
    }
    return new Message.Results(values, fields.takeFlag() ? takeRefused(fields) : null);
  }

  private static <T extends Enum<T>> T one(Class<T> type, FieldReader fields) throws IOException {
    String name = fields.takeText();
    try {
      return Enum.valueOf(type, name);
    } catch (IllegalArgumentException e) {
      throw new IOException("A frame has the unknown name " + name, e);
    }
  }
}
