package io.orrery.compat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.azure.cosmos.CosmosClient;
import com.fasterxml.jackson.databind.JsonNode;
import io.orrery.compat.History.Ending;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One fault under the eyes of all clients, and what they say of it. */
final class FaultRun implements AutoCloseable {
  private static final int LEAD_SECONDS = 10;
  private static final int TAIL_SECONDS = 20;
  private static final int SPLITTABLE = 1_000;

  /** A workload that did hardly anything shows nothing; how fast the machine is does not matter. */
  private static final int DONE_LEAST = 10;

  private static final String OVERTAKEN = "orrery_node_overtaken_total";

  private final ClusterFault fault;
  private final long seed;
  private final HbaseSide hbase;
  private final String database = "faults-" + UUID.randomUUID();
  private final List<Rest> nodes = ClusterNodes.rest();
  private final List<CosmosClient> clients = new ArrayList<>();
  private final Failures failures = new Failures();
  private final Queue<String> faults = new ConcurrentLinkedQueue<>();
  private final History history = new History();
  private final ClusterLedger ledger = new ClusterLedger(failures);

  FaultRun(ClusterFault fault, long seed) {
    this.fault = fault;
    this.seed = seed;
    hbase = new HbaseSide(DevCluster.zookeeper(), "orrery");
  }

  FaultReport report() throws Exception {
    System.out.println(fault + ": " + hbase.ask("spread"));
    String registers =
        ClusterNodes.patiently(() -> RestRegisters.create(nodes.getFirst(), database, SPLITTABLE));
    ClusterNodes.ADDRESSES.forEach(address -> clients.add(ClusterNodes.client(address)));
    ClusterApplication.create(clients.getFirst(), database);
    String witnessed = RestRegisters.create(nodes.getFirst(), database + "-witness", SPLITTABLE);
    String server = server();
    List<Rest> well = new ArrayList<>(nodes);
    int own = fault.victim() == ClusterFault.Victim.NODE || isLeader() ? numberOf(server) : -1;
    if (own >= 0) {
      well.remove(own);
    }
    List<PartitionProbe> probes =
        Stream.concat(
                PartitionProbe.of(well, "/dbs/" + database + "/colls/c", failures, faults).stream(),
                PartitionProbe.of(well, registers, failures, faults).stream())
            .toList();
    var splits =
        List.of(
            new SplitMeanwhile(well, database, "c"),
            new SplitMeanwhile(well, database, "registers"));
    StaleWitness witness =
        fault == ClusterFault.REGION_PAUSE ? new StaleWitness(well, witnessed, hbase) : null;
    long late = own < 0 ? 0 : overtaken(own);
    var application = application();
    CompletableFuture<String> node;
    int stale = 0;
    try (var workload = new IsolationWorkload(history);
        application) {
      application.start(seed);
      workload.start(seed, client -> new RestRegisters(Way.of(nodes, client, failures), registers));
      probes.forEach(PartitionProbe::start);
      if (witness != null) {
        witness.start();
      }
      node = CompletableFuture.supplyAsync(() -> ClusterApplication.onNode(database, seconds()));
      stale = suffer(server, splits, witness);
      probes.forEach(PartitionProbe::close);
    }
    check(application, registers, node.get(5, TimeUnit.MINUTES));
    var ends = new ArrayList<String>();
    for (SplitMeanwhile split : splits) {
      ends.add(split.told());
    }
    return told(server, probes, ends, late(own, late), witness, stale);
  }

  /** One that was killed has forgotten how often it was late. */
  private String late(int node, long before) throws InterruptedException {
    return node >= 0 && fault.isPause() ? Long.toString(overtaken(node) - before) : "";
  }

  private boolean isLeader() {
    return fault.victim() == ClusterFault.Victim.LEADER;
  }

  private ClusterApplication application() {
    return new ClusterApplication(
        clients.stream().map(client -> client.getDatabase(database).getContainer("c")).toList(),
        ledger);
  }

  private int seconds() {
    return LEAD_SECONDS + fault.seconds() + TAIL_SECONDS;
  }

  /** Does the harm and mends it; tells how many reads past the nodes were answered. */
  private int suffer(String server, List<SplitMeanwhile> splits, @Nullable StaleWitness witness)
      throws InterruptedException {
    TimeUnit.SECONDS.sleep(LEAD_SECONDS);
    splits.forEach(SplitMeanwhile::begin);
    System.out.println(fault + ": " + fault.harm() + " " + server);
    if (fault != ClusterFault.NONE) {
      var _ = DevCluster.command(fault.harm(), server);
    }
    splits.forEach(SplitMeanwhile::goOn);
    TimeUnit.SECONDS.sleep(fault.seconds());
    System.out.println(fault + ": " + fault.mending() + " " + server);
    int answered = 0;
    if (fault == ClusterFault.NONE) {
      return 0;
    } else if (witness == null) {
      var _ = DevCluster.command(fault.mending(), server);
    } else {
      answered = witness.readUnguarded(() -> DevCluster.command(fault.mending(), server));
      witness.close();
    }
    TimeUnit.SECONDS.sleep(TAIL_SECONDS);
    return answered;
  }

  /** Who is harmed, as the command names it. */
  private String server() throws InterruptedException {
    return switch (fault.victim()) {
      case NOBODY -> "nobody";
      case DATANODE -> "datanode1";
      case ZOOKEEPER -> "zookeeper";
      case REGION -> {
        // The registers of the witness were made last, so they lie in the last partition.
        String found = hbase.ask("find \"id\":\"r0\"");
        System.out.println(fault + ": last partition " + found);
        String port = found.substring(found.indexOf(':') + 1, found.indexOf(' '));
        yield DevCluster.regionAt(Integer.parseInt(port));
      }
      case LEADER -> "node" + (patientLeader() + 1);
      case NODE -> "node" + (servant(patientLeader()) + 1);
    };
  }

  /** Who serves most partitions of those that do not lead. */
  private int servant(int leader) throws InterruptedException {
    String all = "/_orrery/databases/" + database + "/containers/c/partitions";
    JsonNode partitions =
        ClusterNodes.patiently(
            () ->
                nodes
                    .getFirst()
                    .get(all)
                    .signedOver(new Signature("", ""))
                    .send()
                    .expect(200)
                    .json()
                    .get("partitions"));
    int[] served = new int[nodes.size()];
    partitions.forEach(each -> served[DevCluster.nodeAt(each.get("node").asText())]++);
    return IntStream.range(0, served.length)
        .filter(node -> node != leader)
        .boxed()
        .max(Comparator.comparingInt(node -> served[node]))
        .orElseThrow();
  }

  private static int numberOf(String node) {
    return Integer.parseInt(node.substring("node".length())) - 1;
  }

  /** A node tells nothing new of itself while the regions that it needs are moved. */
  private int patientLeader() throws InterruptedException {
    return ClusterNodes.patiently(this::leader);
  }

  private int leader() {
    for (int i = 0; i < nodes.size(); i++) {
      if (metric(i, "orrery_node_leads") == 1) {
        return i;
      }
    }
    throw new AssertionError("No node leads");
  }

  private long overtaken(int node) throws InterruptedException {
    return ClusterNodes.patiently(() -> metric(node, OVERTAKEN));
  }

  private long metric(int node, String name) {
    String text = nodes.get(node).get("/metrics").unsigned().send().expect(200).text();
    return text.lines()
        .filter(line -> line.startsWith(name + " ") || line.startsWith(name + "{"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private void check(ClusterApplication application, String registers, String said)
      throws Exception {
    DevCluster.startMissing();
    application.check();
    System.out.println("java: " + ledger);
    System.out.println(
        "history: "
            + (history.count(Ending.DONE) + " done, " + history.count(Ending.REFUSED))
            + (" refused, " + history.count(Ending.UNKNOWN) + " unknown"));
    faults.addAll(ledger.faults());
    for (Rest node : nodes) {
      var last = ClusterNodes.patiently(() -> RestRegisters.all(node, registers));
      faults.addAll(IsolationChecker.check(history.events(), last));
    }
    String last = said.strip().substring(said.strip().lastIndexOf('\n') + 1);
    System.out.println("node: " + last);
    assertTrue(last.startsWith("{"), said);
    node = Items.parse(last);
    node.get("faults").forEach(each -> faults.add("node: " + each.asText()));
    node.get("failures").forEach(each -> failures.add(ofNode(each)));
    assertEquals(List.of(), faults.stream().limit(20).toList());
    assertTrue(history.count(Ending.DONE) > DONE_LEAST);
    assertTrue(node.get("done").asInt() > DONE_LEAST, said);
  }

  private static FailedRequest ofNode(JsonNode told) {
    return new FailedRequest(
        told.get("kind").asText(),
        told.get("status").asInt(),
        told.get("substatus").asInt(),
        told.get("text").asText(),
        Duration.ofMillis(told.get("millis").asLong()));
  }

  private JsonNode node = Items.parse("{}");

  private FaultReport told(
      String server,
      List<PartitionProbe> probes,
      List<String> splits,
      String late,
      @Nullable StaleWitness witness,
      int stale)
      throws Exception {
    long done =
        history.count(Ending.DONE)
            + ledger.count()
            + node.get("done").asLong()
            + probes.stream().mapToLong(PartitionProbe::done).sum();
    Duration wait =
        Stream.concat(
                Stream.of(history.longestWait()), probes.stream().map(PartitionProbe::longestWait))
            .max(Duration::compareTo)
            .orElseThrow();
    String seen = "";
    if (witness != null) {
      long found = witness.stale();
      seen = found + "/" + stale;
      assertTrue(found > 0, "The checker was shown no stale read: " + stale + " were answered");
    }
    if (fault == ClusterFault.NODE_PAUSE) {
      assertTrue(Long.parseLong(late) > 0, "No late commit was refused");
    }
    System.out.println(fault + ": gaps " + probes.stream().map(PartitionProbe::told).toList());
    failures.examples().forEach((kind, text) -> System.out.println(kind + ": " + text));
    List<String> early = failures.early(isLeader() || fault.victim() == ClusterFault.Victim.NODE);
    early.forEach(each -> System.out.println(fault + ": too early: " + each));
    return new FaultReport(
        fault,
        server,
        done,
        history.count(Ending.REFUSED),
        failures,
        early,
        probes.stream().map(PartitionProbe::longestGap).toList(),
        wait,
        String.join(", ", splits),
        late,
        seen);
  }

  @Override
  public void close() {
    clients.forEach(CosmosClient::close);
    hbase.close();
  }
}
