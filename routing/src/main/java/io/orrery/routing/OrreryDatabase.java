package io.orrery.routing;

import io.orrery.operation.Admission;
import io.orrery.operation.Answer;
import io.orrery.operation.ComputingThreads;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.Database;
import io.orrery.operation.DatabaseFigures;
import io.orrery.operation.Grant;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Mark;
import io.orrery.operation.Operation;
import io.orrery.operation.PeerReply;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.routing.catalog.Catalog;
import io.orrery.script.ScriptHost;
import io.orrery.storage.Storage;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The database over one storage: resources from the catalog, items from their partitions. Point
 * operations run on the caller's thread up to their partition; what may wait runs on its own.
 */
public final class OrreryDatabase implements Database {
  private static final int RUNNING_MAX = 2_000;

  private final ComputingThreads computing =
      new ComputingThreads("query", Runtime.getRuntime().availableProcessors());
  private final Workers workers = new Workers(RUNNING_MAX);

  /** Queries are counted apart: however many wait, other requests are let in. */
  private final Workers queryWorkers = new Workers(RUNNING_MAX);

  /** So are scripts, which wait for a process. */
  private final Workers scriptWorkers = new Workers(RUNNING_MAX);

  private final Partitions partitions;
  private final Budgets budgets;
  private final ItemRouter items;
  private final Bulk bulk;
  private final ItemFeed feed;
  private final ChangeFeed changes;
  private final ScriptHost scriptHost;
  private final ItemQueries queries;
  private final ScriptRuns runs;
  private final Transactions transactions;
  private final Sessions sessions;
  private final Databases databases;
  private final Containers containers;
  private final Offers offers;
  private final Scripts scripts;
  private final Users users;
  private final Permissions permissions;
  private final TokenGate gate;
  private final LargeBodies bodies;
  private final Elasticity elasticity;
  private final Expiry expiry;
  private final ResourceLists lists;
  private final Management management;

  /** The way to other nodes; null where there are none. */
  private final @Nullable Cluster cluster;

  private OrreryDatabase(
      Storage storage, Catalog catalog, DatabaseSettings settings, @Nullable Neighbours others) {
    var limits = settings.limits();
    var tasks = new ItemTasks(limits);
    var continuations = new Continuations(catalog::secrets);
    var positions = new QueryTokens(continuations);
    cluster =
        others == null
            ? null
            : new Cluster(catalog, tasks, positions, others, settings, this::here);
    Nodes nodes = cluster == null ? Nodes.ALONE : cluster.nodes();
    partitions = new Partitions(storage, catalog, settings, nodes, nodes::grown);
    budgets = new Budgets(settings, nodes);
    expiry = new Expiry(catalog, partitions);
    elasticity = new Elasticity(catalog, partitions, budgets, nodes, settings);
    items = new ItemRouter(catalog, partitions, tasks, budgets, workers, computing);
    feed = new ItemFeed(catalog, partitions, budgets, tasks, continuations, limits);
    changes = new ChangeFeed(catalog, partitions, tasks, budgets, limits);
    scriptHost = new ScriptHost(settings.scripts());
    queries =
        new ItemQueries(
            catalog,
            partitions,
            budgets,
            tasks,
            scriptHost,
            positions,
            nodes::term,
            computing,
            settings);
    sessions = new Sessions(catalog, new PartitionLsns(partitions), tasks, budgets, RUNNING_MAX);
    transactions = new Transactions(catalog, partitions, budgets, tasks, queries);
    Duration patience = cluster == null ? Duration.ZERO : Forwarding.SCRIPT_PATIENCE;
    runs = new ScriptRuns(catalog, transactions, tasks, scriptHost, patience);
    containers = new Containers(catalog, partitions, budgets, workers, limits);
    databases = new Databases(catalog, containers);
    offers = new Offers(catalog, elasticity, limits);
    scripts = new Scripts(catalog);
    users = new Users(catalog);
    var tokens = new ResourceTokens(catalog::secrets, settings.timeOfDay());
    permissions = new Permissions(catalog, new PermittedResources(queries), tokens);
    gate = new TokenGate(catalog, tokens);
    bodies = new LargeBodies(catalog, budgets, tasks, gate);
    bulk = new Bulk(catalog, bodies, this::execute);
    lists = new ResourceLists(catalog, budgets, continuations, tokens);
    management =
        new Management(
            catalog,
            partitions,
            budgets,
            elasticity,
            expiry,
            nodes,
            settings,
            () -> cluster == null ? null : cluster.figures());
  }

  /**
   * Opens what the storage holds, or starts anew in an empty one, and undoes what a crash left
   * undecided. The storage stays the caller's to close, after this.
   */
  public static OrreryDatabase open(Storage storage, DatabaseSettings settings) {
    var database = new OrreryDatabase(storage, Catalog.open(storage), settings, null);
    database.start();
    return database;
  }

  /** Opens what the storage holds to serve it together with others. */
  public static OrreryDatabase open(Storage storage, DatabaseSettings settings, Neighbours others) {
    var database = new OrreryDatabase(storage, Catalog.join(storage), settings, others);
    // Clients of other nodes are sent here at once, and would wait for the first script.
    database.scriptHost.prepare();
    database.start();
    return database;
  }

  private void start() {
    if (cluster != null) {
      cluster.start(partitions, budgets, elasticity::look);
    }
    elasticity.start();
    expiry.start();
  }

  /** Whether this node may serve; false while other nodes do not count on it. */
  public boolean isServing() {
    return cluster == null || cluster.nodes().isCurrent();
  }

  /** Does what another node asks for; answers exactly once, without blocking. */
  public void receive(byte[] request, PeerReply reply) {
    if (cluster == null) {
      throw new IllegalStateException("There are no other nodes");
    }
    cluster.receive(request, reply);
  }

  Elasticity elasticity() {
    return elasticity;
  }

  Budgets budgets() {
    return budgets;
  }

  Partitions partitions() {
    return partitions;
  }

  /** Runs user code, for those who have some. */
  Transactions transactions() {
    return transactions;
  }

  @Override
  public void execute(Operation operation, Reply reply) {
    if (cluster == null) {
      here(operation, null, reply);
    } else {
      cluster.execute(operation, reply);
    }
  }

  /** Does what this node is to do. */
  private void here(Operation operation, @Nullable Mark mark, Reply reply) {
    switch (operation) {
      case Operation.ItemOperation item -> items.execute(item, mark, reply);
      case Operation.ExecuteBulk request -> bulk.execute(request, reply);
      case Operation.ExecuteScript request ->
          script(
              reply,
              request.script().container(),
              () -> runs.execute(request, mark, reply::isCancelled));
      case Operation.ExecuteWithTriggers request ->
          script(
              reply,
              request.operation().scope().container(),
              () -> runs.execute(request, mark, reply::isCancelled));
      case Operation.ReadEventually(var read) when cluster == null ->
          items.execute(read, null, reply);
      case Operation.ReadEventually(var read) ->
          inTurn(reply, RequestCharge.NONE, () -> items.glimpse(read));
      case Operation.ReadInSession request ->
          sessions.read(request, reply, () -> here(request.read(), null, reply));
      case Operation.ReadItemFeed request ->
          compute(reply, request.container(), () -> feed.read(request, reply::isCancelled));
      case Operation.ReadChanges request ->
          compute(reply, request.container(), () -> changes.read(request, reply::isCancelled));
      case Operation.QueryItems request ->
          compute(reply, request.container(), () -> queries.query(request, reply::isCancelled));
      case Operation.PlanQuery request ->
          compute(reply, request.container(), () -> queries.plan(request));
      case Operation.ReadDatabase request ->
          AnswerTask.run(reply, MetadataCharges.READ, () -> databases.read(request));
      case Operation.ReadContainer request ->
          inTurn(reply, MetadataCharges.READ, () -> containers.read(request));
      case Operation.ReadOffer request ->
          AnswerTask.run(reply, MetadataCharges.READ, () -> offers.read(request));
      case Operation.ReadPartitionKeyRanges request ->
          inTurn(reply, MetadataCharges.READ, () -> containers.ranges(request));
      case Operation.ListResources request -> list(request, reply);
      case Operation.CreateDatabase request ->
          inTurn(reply, MetadataCharges.WRITE, () -> databases.create(request));
      case Operation.DeleteDatabase request ->
          inTurn(reply, MetadataCharges.WRITE, () -> databases.delete(request));
      case Operation.CreateContainer request ->
          inTurn(reply, MetadataCharges.WRITE, () -> containers.create(request));
      case Operation.ReplaceContainer request ->
          inTurn(reply, MetadataCharges.WRITE, () -> containers.replace(request));
      case Operation.DeleteContainer request ->
          inTurn(reply, MetadataCharges.WRITE, () -> containers.delete(request));
      case Operation.ReplaceOffer request ->
          inTurn(reply, MetadataCharges.WRITE, () -> offers.replace(request));
      case Operation.ScriptOperation request ->
          inTurn(reply, Scripts.charge(request), () -> scripts.answer(request));
      case Operation.UserOperation request ->
          inTurn(reply, Users.charge(request), () -> users.answer(request));
      case Operation.PermissionOperation request ->
          compute(
              workers, reply, "", Permissions.charge(request), () -> permissions.answer(request));
      case Operation.ReadConflict request ->
          AnswerTask.run(
              reply, MetadataCharges.READ, () -> containers.noConflict(request.container()));
      case Operation.DeleteConflict request ->
          AnswerTask.run(
              reply, MetadataCharges.WRITE, () -> containers.noConflict(request.container()));
      case Operation.ManagementOperation request ->
          inTurn(reply, RequestCharge.NONE, () -> management.answer(request));
    }
  }

  /** A page of a list is short; a query over it may compute for long. */
  private void list(Operation.ListResources request, Reply reply) {
    AnswerTask work = () -> lists.list(request, reply::isCancelled);
    if (request.query() == null) {
      inTurn(reply, MetadataCharges.READ, work);
    } else {
      compute(queryWorkers, reply, queries.owner(request.feed()), MetadataCharges.READ, work);
    }
  }

  @Override
  public Admission admit(String token) {
    return gate.admit(token);
  }

  @Override
  public void execute(Grant grant, Operation operation, Reply reply) {
    TokenGate.Passed passed;
    try {
      passed = gate.check(grant, operation);
    } catch (Refused e) {
      reply.answer(Answer.of(e.refusal(), bodies.charge(grant, operation)));
      return;
    }
    ItemCondition condition = passed.condition();
    if (condition == null) {
      execute(passed.operation(), reply);
    } else {
      execute(condition.read(), condition.before(() -> execute(passed.operation(), reply), reply));
    }
  }

  @Override
  public @Nullable Refusal refusal(LargeBody body) {
    return bodies.refusal(body);
  }

  @Override
  public RequestCharge charge(LargeBody body, RequestCharge paid) {
    return bodies.charge(body, paid);
  }

  @Override
  public DatabaseFigures figures() {
    return management.figures();
  }

  private void inTurn(Reply reply, RequestCharge refusalCharge, AnswerTask work) {
    workers.run(reply, () -> AnswerTask.run(reply, refusalCharge, work));
  }

  /** Work that may compute for long; containers take turns. */
  private void compute(Reply reply, ContainerRef container, AnswerTask work) {
    compute(queryWorkers, reply, queries.owner(container), RequestCharge.NONE, work);
  }

  private void compute(
      Workers room, Reply reply, String owner, RequestCharge refusalCharge, AnswerTask work) {
    room.run(
        reply,
        owner,
        task -> computing.start(owner, task),
        () -> AnswerTask.run(reply, refusalCharge, work));
  }

  /**
   * Scripts wait for their process, but their queries compute. They take turns with other scripts
   * of the container, not with its queries: their time runs.
   */
  private void script(Reply reply, ContainerRef container, AnswerTask work) {
    String owner = "scripts of " + queries.owner(container);
    compute(scriptWorkers, reply, owner, RequestCharge.NONE, work);
  }

  /** Finishes what runs; later calls are refused. */
  @Override
  public void close() {
    expiry.close();
    elasticity.stop();
    sessions.close();
    workers.close();
    queryWorkers.close();
    scriptWorkers.finish();
    elasticity.close();
    if (cluster != null) {
      cluster.close();
    }
    // Queries that wait for functions end with these.
    scriptHost.close();
    computing.close();
    queries.close();
    partitions.close();
  }
}
