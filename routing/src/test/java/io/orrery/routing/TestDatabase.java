package io.orrery.routing;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemRef;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Limits;
import io.orrery.operation.Operation;
import io.orrery.operation.Outcome;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Resource;
import io.orrery.operation.Throughput;
import org.jspecify.annotations.Nullable;

/** A database over memory with the short ways that tests like; quotes in JSON may be single. */
final class TestDatabase implements AutoCloseable {
  static final String KEYED =
      "{'id':'c','partitionKey':{'paths':['/pk'],'kind':'Hash','version':2}}";
  static final ContainerRef CONTAINER = ContainerRef.of("d", "c");

  final MemoryStorage storage;
  private final DatabaseSettings settings;
  private OrreryDatabase database;

  TestDatabase(boolean repeatable) {
    this(repeatable, Limits.SEEDS);
  }

  TestDatabase(boolean repeatable, Limits limits) {
    this(repeatable, limits, QuerySettings.DEFAULT);
  }

  TestDatabase(boolean repeatable, Limits limits, QuerySettings queries) {
    this(new MemoryStorage(repeatable), DatabaseSettings.of(limits).with(queries));
  }

  TestDatabase(MemoryStorage storage, DatabaseSettings settings) {
    this.storage = storage;
    this.settings = settings;
    this.database = open();
  }

  private OrreryDatabase open() {
    return OrreryDatabase.open(storage, settings);
  }

  /** Opens the same storage again, as after a stop. */
  void restart() {
    database.close();
    database = open();
  }

  OrreryDatabase database() {
    return database;
  }

  Answer answer(Operation operation) {
    return database.execute(operation);
  }

  Outcome outcome(Operation operation) {
    return answer(operation).outcome();
  }

  static Body json(String text) {
    return Body.json(text.replace('\'', '"'));
  }

  Resource createDatabase(String id) {
    return createDatabase(id, null);
  }

  Resource createDatabase(String id, @Nullable Throughput throughput) {
    var created = outcome(new Operation.CreateDatabase(json("{'id':'" + id + "'}"), throughput));
    return assertInstanceOf(Outcome.ResourceCreated.class, created).resource();
  }

  Resource createContainer(String definition, @Nullable Throughput throughput) {
    return assertInstanceOf(
            Outcome.ResourceCreated.class, tryCreateContainer(definition, throughput))
        .resource();
  }

  Outcome tryCreateContainer(String definition, @Nullable Throughput throughput) {
    return outcome(
        new Operation.CreateContainer(new DatabaseRef("d"), json(definition), throughput));
  }

  /** Database d with container c of so many partitions, keyed by /pk. */
  Resource createKeyed(int partitions) {
    createDatabase("d");
    return createContainer(KEYED, new Throughput.Manual(partitions * 10_000));
  }

  Outcome create(@Nullable PartitionKey key, String body) {
    return outcome(new Operation.CreateItem(new ItemScope(CONTAINER, key), json(body)));
  }

  Outcome read(@Nullable PartitionKey key, String id) {
    return outcome(
        new Operation.ReadItem(
            new ItemScope(CONTAINER, key), new ItemRef.ById(id), Precondition.NONE));
  }

  @Override
  public void close() {
    database.close();
    storage.close();
  }
}
