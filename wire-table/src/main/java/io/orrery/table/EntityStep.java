package io.orrery.table;

import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.Operation.ItemOperation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import org.jspecify.annotations.Nullable;

/**
 * A change of one entity.
 *
 * @param inserts whether a client expects the new entity as answer
 */
record EntityStep(ItemOperation operation, Entity.Key key, boolean inserts) {

  /**
   * What a request, alone or in a batch, does to an entity.
   *
   * @throws RefusedRequest when it breaks a rule
   */
  static EntityStep of(TableRequest request, Command.Call call) {
    return switch (request.path().shape()) {
      case ENTITIES -> insert(request, call);
      case ENTITY -> change(request, call);
      case SERVICE, TABLES, TABLE, BATCH, UNKNOWN ->
          throw RefusedRequest.invalidInput("The path of the operation names no entity.");
    };
  }

  private static EntityStep insert(TableRequest request, Command.Call call) {
    if (!request.method().equals("POST")) {
      throw RefusedRequest.invalidInput("An entity is inserted by POST.");
    }
    Entity entity = EntityReader.read(request.json());
    String partitionKey = entity.partitionKey();
    String rowKey = entity.rowKey();
    if (partitionKey == null || rowKey == null) {
      throw RefusedRequest.of(
          400,
          "PropertiesNeedValue",
          "The values are not specified for all properties in the entity: PartitionKey and RowKey"
              + " are needed.");
    }
    var key = new Entity.Key(partitionKey, rowKey);
    String table = request.path().table();
    check(key, call);
    call.require(Right.ADD, table, key);
    return new EntityStep(new Operation.CreateItem(scope(table, key), entity.item(key)), key, true);
  }

  private static EntityStep change(TableRequest request, Command.Call call) {
    Entity.Key key = request.path().key();
    if (key == null) {
      throw RefusedRequest.invalidInput("The path of the operation names no entity.");
    }
    String table = request.path().table();
    check(key, call);
    ItemScope scope = scope(table, key);
    Precondition precondition = request.precondition();
    boolean any = precondition.equals(Precondition.NONE);
    if (request.method().equals("DELETE")) {
      call.require(Right.DELETE, table, key);
      if (any) {
        throw RefusedRequest.of(
            400,
            "MissingRequiredHeader",
            "An HTTP header that's mandatory for this request is not specified: If-Match.");
      }
      return new EntityStep(new Operation.DeleteItem(scope, id(key), precondition), key, false);
    }
    call.require(Right.UPDATE, table, key);
    if (any) {
      call.require(Right.ADD, table, key);
    }
    Entity entity = EntityReader.read(request.json());
    requireSame(Properties.PARTITION_KEY, entity.partitionKey(), key.partitionKey());
    requireSame(Properties.ROW_KEY, entity.rowKey(), key.rowKey());
    ItemOperation operation =
        switch (request.method()) {
          case "PATCH" ->
              new Operation.MergeItem(scope, entity.item(key), precondition, EntityLimits.LIMITS);
          case "PUT" ->
              any
                  ? new Operation.UpsertItem(scope, entity.item(key), precondition)
                  : new Operation.ReplaceItem(scope, id(key), entity.item(key), precondition);
          default ->
              throw RefusedRequest.of(
                  405,
                  "MethodNotAllowed",
                  "The requested method is not allowed on the specified resource: an entity takes"
                      + " GET, PUT, PATCH, MERGE, DELETE.");
        };
    return new EntityStep(operation, key, false);
  }

  private static void requireSame(String name, @Nullable String inBody, String inPath) {
    if (inBody != null && !inBody.equals(inPath)) {
      throw RefusedRequest.invalidInput(
          "The " + name + " of the body is not that of the request's path.");
    }
  }

  private static void check(Entity.Key key, Command.Call call) {
    TableError refusal = Keys.refusal(Properties.PARTITION_KEY, key.partitionKey(), call.limits());
    if (refusal == null) {
      refusal = Keys.refusal(Properties.ROW_KEY, key.rowKey(), call.limits());
    }
    if (refusal != null) {
      throw new RefusedRequest(refusal);
    }
  }

  static ItemScope scope(String table, Entity.Key key) {
    return new ItemScope(Command.container(table), PartitionKey.of(key.partitionKey()));
  }

  static ItemRef id(Entity.Key key) {
    return new ItemRef.ById(Keys.id(key.rowKey()));
  }
}
