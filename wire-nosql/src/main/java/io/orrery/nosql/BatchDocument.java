package io.orrery.nosql;

import io.orrery.operation.Body;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Keyword;
import io.orrery.operation.Operation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.value.KeyValues;
import io.orrery.value.MalformedBody;
import io.orrery.value.MemberTexts;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several operations in one request: an atomic batch within the partition key of the header, or
 * bulk, where each says its own.
 */
final class BatchDocument {
  private static final int STEPS_MAX = 100;
  private static final int BYTES_MAX = 2 << 20;
  private static final String MINIMAL = "minimalReturnPreference";

  private BatchDocument() {}

  static Operation read(NosqlRequest request) {
    boolean atomic = request.says(NosqlHeaders.BATCH_ATOMIC);
    if (atomic && request.body().size() > BYTES_MAX) {
      throw new RefusedRequest(NosqlErrors.TOO_LARGE);
    }
    ItemScope scope = NosqlCodec.itemScope(request);
    if (atomic && scope.key() == null) {
      throw RefusedRequest.bad(
          "PartitionKey value must be supplied for this operation in"
              + " x-ms-documentdb-partitionkey.");
    }
    List<Operation.ItemOperation> steps = new ArrayList<>();
    for (MemberTexts.Part step : steps(request)) {
      steps.add(step(step, atomic ? scope : ownScope(step.members(), scope)));
    }
    return atomic
        ? new Operation.ExecuteBatch(scope, steps)
        : new Operation.ExecuteBulk(scope.container(), steps, inOrder(request));
  }

  private static boolean inOrder(NosqlRequest request) {
    boolean stops =
        request.has(NosqlHeaders.BATCH_CONTINUES) && !request.says(NosqlHeaders.BATCH_CONTINUES);
    return stops || request.says(NosqlHeaders.BATCH_ORDERED);
  }

  /** Bodies of items stay text: they are read when their operation is carried out. */
  private static List<MemberTexts.Part> steps(NosqlRequest request) {
    byte[] body = NosqlCodec.body(request).bytes().array();
    List<MemberTexts.Part> steps = MemberTexts.parse(body, "resourceBody");
    if (steps.isEmpty()) {
      throw RefusedRequest.bad("Batch request has no operations.");
    }
    if (steps.size() > STEPS_MAX) {
      throw RefusedRequest.bad(
          "Batch request has more operations than what is supported: at most " + STEPS_MAX + ".");
    }
    return steps;
  }

  /** Which steps want no item back; read with the request, to keep that off the event loop. */
  static BitSet brief(NosqlRequest request) {
    var brief = new BitSet();
    if (request.body().utf8().contains(MINIMAL)) {
      List<MemberTexts.Part> steps = steps(request);
      for (int i = 0; i < steps.size(); i++) {
        Value members = steps.get(i).members();
        brief.set(i, JsonMembers.at(members, MINIMAL).equals(Value.TRUE));
      }
    }
    return brief;
  }

  private static ItemScope ownScope(Value step, ItemScope scope) {
    String key = textOrNull(step, "partitionKey");
    try {
      PartitionKey own = key == null ? scope.key() : KeyValues.parse(key);
      return new ItemScope(scope.container(), own);
    } catch (MalformedBody notOne) {
      throw RefusedRequest.bad("Partition key " + key + " is invalid.");
    }
  }

  private static Operation.ItemOperation step(MemberTexts.Part part, ItemScope scope) {
    Value step = part.members();
    String type = Keyword.lower(String.valueOf(textOrNull(step, "operationType")));
    return switch (type) {
      case "create" -> new Operation.CreateItem(scope, body(part));
      case "upsert" -> new Operation.UpsertItem(scope, body(part), precondition(step));
      case "replace" ->
          new Operation.ReplaceItem(scope, item(step), body(part), precondition(step));
      case "read" -> new Operation.ReadItem(scope, item(step), precondition(step));
      case "delete" -> new Operation.DeleteItem(scope, item(step), precondition(step));
      case "patch" ->
          new Operation.PatchItem(
              scope,
              item(step),
              PatchDocument.read(body(part).bytes().array()),
              precondition(step));
      default ->
          throw RefusedRequest.bad(
              "The operationType of a batch operation is Create, Upsert, Replace, Read, Delete or"
                  + " Patch.");
    };
  }

  private static ItemRef item(Value step) {
    String id = textOrNull(step, "id");
    if (id == null) {
      throw RefusedRequest.bad("A batch operation on an item needs its 'id'.");
    }
    return new ItemRef.ById(id);
  }

  private static Body body(MemberTexts.Part step) {
    if (step.text() == null) {
      throw RefusedRequest.bad("A batch operation that writes needs a 'resourceBody'.");
    }
    return step.text();
  }

  private static Precondition precondition(Value step) {
    return NosqlCodec.precondition(textOrNull(step, "ifMatch"), textOrNull(step, "ifNoneMatch"));
  }

  private static @Nullable String textOrNull(Value step, String member) {
    return JsonMembers.at(step, member) instanceof Value.Text(String text) ? text : null;
  }
}
