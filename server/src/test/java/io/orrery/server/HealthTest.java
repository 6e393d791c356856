package io.orrery.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.orrery.http.OpenConnections;
import io.orrery.memory.MemoryStorage;
import io.orrery.operation.Limits;
import io.orrery.routing.DatabaseSettings;
import io.orrery.routing.OrreryDatabase;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is told about a node among others. */
class HealthTest {

  /** Two nodes, and a switch for whether the others know of this one. */
  private static final class Two implements Membership {
    private static final Member SELF = new Member(3, "a:1", "1");
    boolean current = true;
    boolean serves = true;

    @Override
    public Member self() {
      return SELF;
    }

    @Override
    public List<Member> members() {
      return List.of(SELF, new Member(4, "b:2", "1"));
    }

    @Override
    public List<Member> membersNow() {
      return members();
    }

    @Override
    public boolean isCurrent() {
      return current;
    }

    @Override
    public void onChange(Runnable listener) {}

    @Override
    public void close() {}
  }

  @Test
  void nodeThatIsNotCurrentIsNotReady() {
    try (var storage = new MemoryStorage();
        var two = new Two()) {
      var health = new Health(storage, two, () -> two.serves);
      assertNull(health.trouble());
      two.current = false;
      assertEquals("this node is not counted among the members", health.trouble());
      two.current = true;
      two.serves = false;
      assertEquals(
          "this node does not know the catalog yet; the one that leads has to tell it: [a:1]",
          health.trouble());
      assertNull(new Health(storage, null, () -> true).trouble());
    }
  }

  @Test
  void membersAreCounted() {
    try (var storage = new MemoryStorage();
        var two = new Two();
        var database = OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS));
        var metrics =
            new Metrics(
                new RequestMeter(),
                new Health(storage, two, () -> two.serves),
                database::figures,
                new OpenConnections(10, 10))) {
      String text = metrics.text(true);
      assertTrue(text.contains("\norrery_cluster_members 2.0\n"), text);
      assertTrue(text.contains("\norrery_cluster_current 1.0\n"), text);
      assertTrue(text.contains("\norrery_storage_up 1.0\n"), text);
      two.serves = false;
      assertTrue(metrics.text(true).contains("\norrery_cluster_current 0.0\n"));
    }
  }

  @Test
  void serverOfItsOwnShowsNoMembers() {
    try (var storage = new MemoryStorage();
        var database = OrreryDatabase.open(storage, DatabaseSettings.of(Limits.SEEDS));
        var metrics = MetricsTest.metrics(storage, database)) {
      assertFalse(metrics.text(true).contains("orrery_cluster"));
    }
  }
}
