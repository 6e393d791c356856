package io.orrery.server;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.orrery.storage.Member;
import io.orrery.storage.Membership;
import io.orrery.storage.Storage;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether this server can serve, and what fails otherwise; never waits for what does not answer.
 *
 * @param membership null for a server that has its storage to itself
 * @param serves whether the database does, as far as it depends on other nodes
 */
record Health(Storage storage, @Nullable Membership membership, BooleanSupplier serves) {

  /** Everything that fails, in words; null when nothing does. */
  @Nullable String trouble() {
    String all =
        Stream.of(storage.trouble(), membership == null ? null : nodes(membership))
            .filter(Objects::nonNull)
            .collect(Collectors.joining("; "));
    return all.isEmpty() ? null : all;
  }

  private @Nullable String nodes(Membership all) {
    String trouble = all.trouble();
    return trouble != null || serves.getAsBoolean()
        ? trouble
        : "this node does not know the catalog yet; the one that leads has to tell it: "
            + all.members().stream().map(Member::address).limit(1).toList();
  }

  void bind(MeterRegistry into) {
    Gauge.builder("orrery.storage.up", storage, open -> open.trouble() == null ? 1 : 0)
        .description("Whether the storage answers; /ready tells what does not.")
        .register(into);
    Gauge.builder("orrery.storage.stalled", storage, open -> open.isStalled() ? 1 : 0)
        .description("Whether a commit runs for more than a second, or none is taken.")
        .register(into);
    if (membership != null) {
      Gauge.builder("orrery.cluster.members", membership, all -> all.members().size())
          .description("Nodes that serve the storage, as far as this one knows.")
          .register(into);
      Gauge.builder(
              "orrery.cluster.current",
              membership,
              own -> own.isCurrent() && serves.getAsBoolean() ? 1 : 0)
          .description("Whether this node is one of them and serves; /ready tells why not.")
          .register(into);
    }
  }
}
