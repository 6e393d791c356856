package io.orrery.script.channel;

import io.orrery.script.Documents.Reply;
import io.orrery.script.Documents.Step;
import java.io.IOException;

/** Steps and replies as fields. */
final class StepFields {
  private static final int CREATE = 0;
  private static final int UPSERT = 1;
  private static final int READ = 2;
  private static final int REPLACE = 3;
  private static final int DELETE = 4;
  private static final int QUERY = 5;

  private StepFields() {}

  static void put(FieldWriter fields, Step step) {
    switch (step) {
      case Step.Create(String link, String document) -> {
        begin(fields, CREATE, link);
        fields.putText(document);
      }
      case Step.Upsert(String link, String document, var etag) -> {
        begin(fields, UPSERT, link);
        fields.putText(document);
        fields.putOptional(etag);
      }
      case Step.Read(String link, var known) -> {
        begin(fields, READ, link);
        fields.putOptional(known);
      }
      case Step.Replace(String link, String document, var etag) -> {
        begin(fields, REPLACE, link);
        fields.putText(document);
        fields.putOptional(etag);
      }
      case Step.Delete(String link, var etag) -> {
        begin(fields, DELETE, link);
        fields.putOptional(etag);
      }
      case Step.Query(String link, String query, int pageSize, var continuation) -> {
        begin(fields, QUERY, link);
        fields.putText(query);
        fields.putInt(pageSize);
        fields.putOptional(continuation);
      }
    }
  }

  private static void begin(FieldWriter fields, int kind, String link) {
    fields.putByte(kind);
    fields.putText(link);
  }

  static Step takeStep(FieldReader fields) throws IOException {
    int kind = fields.takeByte();
    String link = fields.takeText();
    return switch (kind) {
      case CREATE -> new Step.Create(link, fields.takeText());
      case UPSERT -> new Step.Upsert(link, fields.takeText(), fields.takeOptional());
      case READ -> new Step.Read(link, fields.takeOptional());
      case REPLACE -> new Step.Replace(link, fields.takeText(), fields.takeOptional());
      case DELETE -> new Step.Delete(link, fields.takeOptional());
      case QUERY ->
          new Step.Query(link, fields.takeText(), fields.takeInt(), fields.takeOptional());
      default -> throw new IOException("A frame has a step of the unknown kind " + kind);
    };
  }

  static void put(FieldWriter fields, Reply reply) {
    switch (reply) {
      case Reply.Done(var json, var continuation) -> {
        fields.putFlag(true);
        fields.putOptional(json);
        fields.putOptional(continuation);
      }
      case Reply.Failed(int number, String message) -> {
        fields.putFlag(false);
        fields.putInt(number);
        fields.putText(message);
      }
    }
  }

  static Reply takeReply(FieldReader fields) throws IOException {
    return fields.takeFlag()
        ? new Reply.Done(fields.takeOptional(), fields.takeOptional())
        : new Reply.Failed(fields.takeInt(), fields.takeText());
  }
}
