package io.orrery.nosql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.orrery.operation.Answer;
import io.orrery.operation.Body;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseRef;
import io.orrery.operation.ItemRule;
import io.orrery.operation.ItemScope;
import io.orrery.operation.Operation;
import io.orrery.operation.PartitionKey;
import io.orrery.operation.Precondition;
import io.orrery.operation.Vitals;
import io.orrery.operation.VitalsCheck;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The activity id of a request comes as far as the writer, whose log names it. */
class WriterErrorsTest {
  private static final String ID = "0c54b6de-0000-4000-8000-000000000001";
  private static final ContainerRef CONTAINER = ContainerRef.of("d", "c");
  private static final ItemRule FAILING =
      item -> {
        VitalsCheck.provoked(Vitals.Symptom.UNCAUGHT_ERROR);
        throw new StackOverflowError("planted");
      };

  private final Database database = ServerFixture.emptyDatabase();
  private final ListAppender<ILoggingEvent> events = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("io.orrery.partition");

  @BeforeEach
  void create() {
    events.start();
    logger.addAppender(events);
    database.execute(new Operation.CreateDatabase(Body.json("{\"id\":\"d\"}"), null));
    String definition = "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}";
    database.execute(
        new Operation.CreateContainer(new DatabaseRef("d"), Body.json(definition), null));
    database.execute(new Operation.CreateItem(scope(), item()));
  }

  @AfterEach
  void close() {
    logger.detachAppender(events);
    database.close();
  }

  private static ItemScope scope() {
    return new ItemScope(CONTAINER, PartitionKey.of("k"));
  }

  private static Body item() {
    return Body.json("{\"id\":\"1\",\"pk\":\"k\"}");
  }

  private static Operation.ItemOperation failing() {
    return new Operation.MergeItem(scope(), item(), Precondition.NONE, FAILING);
  }

  /** Waits for the end, whatever it is. */
  private void execute(Operation operation) {
    var ended = new CompletableFuture<String>();
    database.execute(
        operation,
        new Database.Reply() {
          @Override
          public void answer(Answer answer) {
            ended.complete("answered");
          }

          @Override
          public void fault(Throwable fault) {
            ended.complete("failed");
          }

          @Override
          public String activityId() {
            return ID;
          }
        });
    ended.join();
  }

  private void assertNamed() {
    List<String> lines =
        List.copyOf(events.list).stream().map(ILoggingEvent::getFormattedMessage).toList();
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.getFirst().endsWith(" ended by an error, first activities [" + ID + "]"));
  }

  @Test
  void theLogNamesAWrite() {
    execute(failing());
    assertNamed();
  }

  @Test
  void theLogNamesABulk() {
    var first =
        new Operation.UpsertItem(
            scope(), Body.json("{\"id\":\"2\",\"pk\":\"k\"}"), Precondition.NONE);
    // In order, so that the second begins where the first was answered.
    execute(new Operation.ExecuteBulk(CONTAINER, List.of(first, failing()), true));
    assertNamed();
  }
}
