package io.orrery.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orrery.storage.Membership;
import io.orrery.storage.Storage;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether this server can serve, and what fails otherwise; never waits for what does not answer.
 *
 * @param membership null for a server that has its storage to itself
 */
record Health(Storage storage, @Nullable Membership membership) {

  /** Everything that fails, in words; null when nothing does. */
  @Nullable String trouble() {
    String nodes = membership == null ? null : membership.trouble();
    String all =
        Stream.of(storage.trouble(), nodes)
            .filter(Objects::nonNull)
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? null : all;
  }

  void bind(MeterRegistry into) {
    Gauge.builder("orrery.storage.up", storage, open -> open.trouble() == null ? 1 : 0)
        .description("Whether the storage answers; /ready tells what does not.")
        .register(into);
    if (membership != null) {
      Gauge.builder("orrery.cluster.members", membership, all -> all.members().size())
          .description("Nodes that serve the storage, as far as this one knows.")
          .register(into);
      Gauge.builder("orrery.cluster.current", membership, own -> own.isCurrent() ? 1 : 0)
          .description("Whether this node is one of them; /ready tells why not.")
          .register(into);
    }
  }
}
