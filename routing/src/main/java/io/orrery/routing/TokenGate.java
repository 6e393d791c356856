package io.orrery.routing;

import io.orrery.operation.Admission;
import io.orrery.operation.ContainerRef;
import io.orrery.operation.FeedScope;
import io.orrery.operation.Grant;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.ResourceFeed;
import io.orrery.routing.catalog.Catalog;
import io.orrery.routing.catalog.CatalogImage;
import io.orrery.routing.catalog.PermissionEntry;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a resource token allows. Tokens are for data: they read and write items and read the
 * definitions that clients need for it; they never change a definition, and never see beyond the
 * container that they are for. Every operation is named here, so that a new one does not compile
 * before somebody has decided about it.
 */
final class TokenGate {
  private static final String OVER =
      "The authorization token is not valid at the current time: the resource token has ended. Read"
          + " the permission again for a new one.";
  private static final String REVOKED =
      "The resource token was revoked: its permission was deleted or replaced, or its resource is"
          + " gone.";
  private static final String ACCOUNT_ONLY =
      "A resource token does not allow this request: it needs an account key.";

  private final Catalog catalog;
  private final ResourceTokens tokens;

  TokenGate(Catalog catalog, ResourceTokens tokens) {
    this.catalog = catalog;
    this.tokens = tokens;
  }

  Admission admit(String token) {
    Admission opened = tokens.open(token);
    if (!(opened instanceof Admission.Granted(Grant grant))) {
      return opened;
    }
    try {
      var _ = scope(grant);
      return opened;
    } catch (Refused e) {
      return new Admission.Refused(e.refusal() instanceof Refusal.Forbidden(String why) ? why : "");
    }
  }

  /**
   * What a token lets pass.
   *
   * @param operation on what the token is for, and on nothing that takes its name later
   * @param condition on which it may go on; null for none
   */
  record Passed(Operation operation, @Nullable ItemCondition condition) {}

  /**
   * Lets an operation pass.
   *
   * @throws Refused when the token does not allow it
   */
  Passed check(Grant grant, Operation operation) {
    TokenScope scope = scope(grant);
    ItemCondition condition = require(scope, operation);
    return new Passed(scope.held(operation), condition);
  }

  /**
   * The part of a container that is charged for a body sent with a token: that of the token.
   *
   * @param asked what the request says
   * @throws Refused when the token is for another container
   */
  FeedScope payer(Grant grant, ContainerRef container, FeedScope asked) {
    return scope(grant).payer(container, asked);
  }

  private static @Nullable ItemCondition require(TokenScope scope, Operation operation) {
    switch (operation) {
      case Operation.ItemOperation item -> {
        return scope.requireItem(item);
      }
      case Operation.ExecuteBulk(var container, var steps, boolean inOrder) ->
          scope.requireSteps(container, steps);
      case Operation.ExecuteScript(var script, var key, var arguments) ->
          scope.requireRun(script, key);
      case Operation.ExecuteWithTriggers(var item, var before, var after) ->
          scope.requireTriggered(item.scope());
      case Operation.ReadEventually(var read) -> {
        return require(scope, read);
      }
      case Operation.ReadInSession(var read, var container, var seen) -> {
        return require(scope, read);
      }
      case Operation.ReadItemFeed(var container, var part, var page) ->
          scope.requirePart(container, part);
      case Operation.ReadChanges(var container, var part, var start, int max, boolean all) ->
          scope.requirePart(container, part);
      case Operation.QueryItems(var container, var query, var part, var page, var options) ->
          scope.requirePart(container, part);
      case Operation.PlanQuery(var container, var query, var key, var features) ->
          scope.requireItems(container);
      case Operation.ReadContainer(var container, var precondition) -> scope.require(container);
      case Operation.ReadPartitionKeyRanges(var container, var known) -> scope.require(container);
      case Operation.ReadScript(var script, var precondition) -> scope.requireScript(script);
      case Operation.ListResources(var feed, var page, var query) -> requireFeed(scope, feed);
      case Operation.ReadConflict(var container, var id) -> scope.requireWhole(container);
      case Operation.DeleteConflict(var container, var id) -> {
        scope.requireWhole(container);
        scope.requireWriting();
      }
      case Operation.CreateDatabase o -> refuse();
      case Operation.ReadDatabase o -> refuse();
      case Operation.DeleteDatabase o -> refuse();
      case Operation.CreateContainer o -> refuse();
      case Operation.ReplaceContainer o -> refuse();
      case Operation.DeleteContainer o -> refuse();
      case Operation.CreateScript o -> refuse();
      case Operation.ReplaceScript o -> refuse();
      case Operation.DeleteScript o -> refuse();
      case Operation.ReadOffer o -> refuse();
      case Operation.ReplaceOffer o -> refuse();
      case Operation.UserOperation o -> refuse();
      case Operation.PermissionOperation o -> refuse();
      case Operation.ManagementOperation o -> refuse();
    }
    return null;
  }

  private static void requireFeed(TokenScope scope, ResourceFeed feed) {
    switch (feed) {
      case ResourceFeed.Scripts(var container, var kind) -> scope.requireWhole(container);
      case ResourceFeed.Conflicts(var container) -> scope.requireWhole(container);
      case ResourceFeed.Databases f -> refuse();
      case ResourceFeed.Containers f -> refuse();
      case ResourceFeed.Offers f -> refuse();
      case ResourceFeed.Users f -> refuse();
      case ResourceFeed.Permissions f -> refuse();
      case ResourceFeed.EncryptionKeys f -> refuse();
    }
  }

  private static void refuse() {
    throw TokenScope.forbidden(ACCOUNT_ONLY);
  }

  /**
   * What the grant reaches at the moment.
   *
   * @throws Refused when it reaches nothing any more
   */
  private TokenScope scope(Grant grant) {
    if (tokens.isOver(grant)) {
      throw TokenScope.forbidden(OVER);
    }
    CatalogImage image = catalog.image();
    PermissionEntry permission = image.permission(grant.permissionRid());
    boolean same =
        permission != null
            && permission.version().etag().equals(grant.permission())
            && permission.resourceRid().equals(grant.resourceRid());
    TokenScope scope = permission == null || !same ? null : TokenScope.of(image, permission);
    if (scope == null) {
      throw TokenScope.forbidden(REVOKED);
    }
    return scope;
  }
}
