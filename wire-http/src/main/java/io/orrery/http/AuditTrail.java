package io.orrery.http;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Learns of refused sign-ins and of changes; called on event loops, must not block. */
public interface AuditTrail {
  AuditTrail NONE =
      new AuditTrail() {
        @Override
        public void refused(Event event) {}

        @Override
        public void changed(Event event) {}
      };

  /**
   * What a client asked for.
   *
   * @param name the route's, or what was refused
   * @param caller by which kind of credential the client was known
   * @param path of the request, without its query, which may hold a signature
   */
  record Event(
      String name,
      int status,
      String caller,
      String method,
      String path,
      String activityId,
      @Nullable InetSocketAddress address) {

    public static Event of(
        String name, int status, String caller, String method, Exchange exchange, Origin origin) {
      String target = exchange.target();
      int query = target.indexOf('?');
      return new Event(
          name,
          status,
          caller,
          method,
          query < 0 ? target : target.substring(0, query),
          exchange.activityId(),
          origin.remote());
    }
  }

  /** A request was refused because of its credentials or the name it was sent to. */
  void refused(Event event);

  /** A request that may change keys, permissions, the catalog or throughput was answered. */
  void changed(Event event);
}
