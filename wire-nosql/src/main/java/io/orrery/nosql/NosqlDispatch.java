package io.orrery.nosql;

import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.orrery.http.AuditTrail;
import io.orrery.http.AuditTrail.Event;
import io.orrery.http.Exchange;
import io.orrery.http.Incoming;
import io.orrery.http.Origin;
import io.orrery.operation.Bytes;
import io.orrery.operation.Grant;
import io.orrery.operation.LargeBody;
import io.orrery.operation.Operation;
import io.orrery.operation.Refusal;
import io.orrery.operation.RequestCharge;
import io.orrery.value.MalformedBody;
import org.jspecify.annotations.Nullable;

/** Decides what becomes of a request: who asks, by which route, for which operation. */
final class NosqlDispatch {
  private static final NosqlError BAD_PATH =
      NosqlError.listed(400, "BadRequest", "The path is not percent-encoded UTF-8.");

  private static final NosqlError NO_DIGEST =
      NosqlError.plain(
          401,
          "Unauthorized",
          "A request that manages is signed with its path and body: send the SHA-256 of the body in"
              + " hexadecimal digits as "
              + Authorization.DIGEST_HEADER
              + ", and sign an empty resource type and, as link, the path without its first slash,"
              + " a blank and that value.");
  private static final NosqlError WRONG_DIGEST =
      NosqlError.plain(
          401,
          "Unauthorized",
          "The body is not the one that was signed: its SHA-256 in lower-case hexadecimal digits is"
              + " not the value of "
              + Authorization.DIGEST_HEADER
              + ".");
  private static final Bytes NO_BODY = Bytes.of(new byte[0]);

  private final NosqlService service;
  private final Origin origin;
  private final Authenticator.KeyHint keyHint;
  // Of the request being received: what its head says.
  private @Nullable ResourcePath path;
  private Access access = Access.Granted.READ_ONLY;
  private @Nullable NosqlRequest asked;
  private @Nullable Route route;
  private @Nullable PublicPage page;
  private boolean pageSigned;

  NosqlDispatch(NosqlService service, Origin origin, Authenticator.KeyHint keyHint) {
    this.service = service;
    this.origin = origin;
    this.keyHint = keyHint;
  }

  /** What is to be done. */
  sealed interface Decision {}

  /**
   * @param grant of the resource token that the request was sent with; null with an account key
   */
  record Ask(Operation operation, NosqlRequest request, @Nullable Grant grant)
      implements Decision {}

  record Tell(Bytes json) implements Decision {}

  record Show(Page shown) implements Decision {}

  /**
   * @param charge the price of what was done until then
   */
  record Refuse(NosqlError error, RequestCharge charge) implements Decision {
    Refuse(NosqlError error) {
      this(error, RequestCharge.NONE);
    }
  }

  /** The database refused it before its body was parsed. */
  record RefusedByDatabase(Refusal refusal, NosqlRequest request, @Nullable Grant grant)
      implements Decision {}

  /** Forgets the request. */
  void end() {
    path = null;
    access = Access.Granted.READ_ONLY;
    asked = null;
    route = null;
    page = null;
    pageSigned = false;
  }

  /** Checks a request by its head; gives the reason to refuse it, or null. */
  @Nullable NosqlError admit(HttpRequest head) {
    end();
    String foreign = service.config().access().hosts().refusal(head, origin);
    if (foreign != null) {
      return NosqlError.plain(403, "Forbidden", foreign);
    }
    path = ResourcePath.parse(head.uri());
    if (path == null) {
      return BAD_PATH;
    }
    page = publicPage(head, path);
    HttpHeaders headers = head.headers();
    String digest = null;
    if (manages(head)) {
      digest = NosqlRequest.header(headers, NosqlHeaders.CONTENT_SHA256);
      if (digest == null) {
        return NO_DIGEST;
      }
    }
    var signed =
        new Authenticator.Signed(
            head.method().name(),
            NosqlRequest.header(headers, NosqlHeaders.AUTHORIZATION),
            NosqlRequest.header(headers, NosqlHeaders.MS_DATE),
            NosqlRequest.header(headers, NosqlHeaders.DATE),
            digest == null ? null : Authorization.link(head.uri(), digest));
    if (page != null && signed.token() == null) {
      return null;
    }
    access = service.authenticator().admit(signed, path, keyHint);
    if (page != null) {
      pageSigned = access instanceof Access.Granted;
      return null;
    }
    if (access instanceof Access.Denied(NosqlError error)) {
      return error;
    }
    asked = new NosqlRequest(head.method(), head.uri(), path, headers, NO_BODY, origin);
    return null;
  }

  /**
   * Finds the route of an admitted request, so that no body is kept of one that has none or may not
   * take it; gives the reason to refuse it, or null.
   */
  @Nullable NosqlError route(Exchange exchange) {
    if (asked == null) {
      return null;
    }
    route = service.commands().find(asked);
    if (route == null) {
      return service.commands().noRoute(asked);
    }
    exchange.routed(route.name());
    if (access == Access.Granted.READ_ONLY && route.writes()) {
      return NosqlErrors.READ_ONLY_KEY;
    }
    return access == Access.Granted.READ_ONLY && route.reveals()
        ? NosqlErrors.TOKENS_IN_ANSWER
        : null;
  }

  /**
   * Whether it changes something by the management API: one such request is good for itself only.
   */
  private boolean manages(HttpRequest head) {
    return path != null
        && path.isManagement()
        && !head.method().equals(HttpMethod.GET)
        && !head.method().equals(HttpMethod.HEAD);
  }

  private @Nullable PublicPage publicPage(HttpRequest head, ResourcePath asking) {
    String target = head.uri();
    if (asking.shape() != ResourcePath.Shape.UNKNOWN) {
      return null;
    }
    if (!head.method().equals(HttpMethod.GET) && !head.method().equals(HttpMethod.HEAD)) {
      return null;
    }
    int query = target.indexOf('?');
    return service.config().publicPages().get(query < 0 ? target : target.substring(0, query));
  }

  /** Whether it asks for a public page, which may take a while to make. */
  boolean isPage() {
    return page != null;
  }

  /** Decides on a request that came in whole. */
  Decision decide(Incoming<NosqlError> incoming) {
    if (page != null) {
      return new Show(page.content(pageSigned));
    }
    if (asked == null || route == null) {
      throw new IllegalStateException("A request came in that was not admitted");
    }
    byte[] body = incoming.body();
    NosqlRequest request = body.length == 0 ? asked : asked.with(Bytes.of(body));
    if (manages(incoming.head()) && !isSignedBody(incoming.head(), request)) {
      return new Refuse(WRONG_DIGEST);
    }
    return LargeBody.isLarge(body.length) && route.isOfItems()
        ? followLarge(route, request)
        : follow(route, request);
  }

  /** The container is charged for parsing a large body, also where no operation follows. */
  private Decision followLarge(Route taken, NosqlRequest request) {
    LargeBody large;
    try {
      large =
          new LargeBody(
              grant(),
              NosqlCodec.container(request),
              NosqlCodec.feedScope(request),
              request.body().size());
    } catch (RefusedRequest refused) {
      return new Refuse(refused.error());
    }
    Refusal refusal = service.database().refusal(large);
    if (refusal != null) {
      return new RefusedByDatabase(refusal, request, grant());
    }
    Decision decision = follow(taken, request);
    return decision instanceof Refuse(NosqlError error, var free)
        ? new Refuse(error, service.database().charge(large, free))
        : decision;
  }

  private static boolean isSignedBody(HttpRequest head, NosqlRequest request) {
    String digest = Authorization.digest(request.body().array());
    return digest.equals(NosqlRequest.header(head.headers(), NosqlHeaders.CONTENT_SHA256));
  }

  private @Nullable Grant grant() {
    return access instanceof Access.Token(Grant grant) ? grant : null;
  }

  private Ask ask(Operation operation, NosqlRequest request) {
    boolean batch =
        operation instanceof Operation.ExecuteBatch || operation instanceof Operation.ExecuteBulk;
    return new Ask(
        SessionToken.required(operation, request, service.config().consistency()),
        batch ? request.with(BatchDocument.brief(request)) : request,
        grant());
  }

  /** Notes what operators want to find again: a change that was asked for, and its end. */
  void answered(Exchange exchange, HttpMethod method, int status) {
    if (route != null && route.audited()) {
      AuditTrail audit = service.config().access().audit();
      audit.changed(
          Event.of(route.name(), status, access.caller(), method.name(), exchange, origin));
    }
  }

  /** Notes a request whose credentials were refused, or the name that it was sent to. */
  void refusedAtTheDoor(Exchange exchange, HttpMethod method, NosqlError error) {
    if (error.status() == 401 || error.status() == 403) {
      AuditTrail audit = service.config().access().audit();
      audit.refused(Event.of("SignIn", error.status(), "none", method.name(), exchange, origin));
    }
  }

  private Decision follow(Route taken, NosqlRequest request) {
    try {
      NosqlCodec.checkConsistency(request, service.config().consistency());
      return switch (taken.command()) {
        case Route.Ask(var operation) -> ask(operation.apply(request), request);
        case Route.Tell(var body) -> new Tell(Bytes.of(body.apply(request)));
      };
    } catch (RefusedRequest refused) {
      return new Refuse(refused.error());
    } catch (MalformedBody malformed) {
      return new Refuse(
          NosqlError.listed(
              400,
              "BadRequest",
              "The request payload is invalid. Ensure to provide a valid request payload. "
                  + malformed.getMessage()));
    }
  }
}
