package io.orrery.routing;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.CompiledQuery;
import io.orrery.query.ComputedProperties;
import io.orrery.query.Queries;
import io.orrery.query.VectorPolicy;
import io.orrery.query.index.IndexPolicy;
import io.orrery.routing.catalog.ContainerEntry;
import io.orrery.routing.catalog.Version;
import io.orrery.routing.definition.ContainerDefinition;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** What queries need of a container's definition, made once for each. */
final class QueriedContainers {
  private static final int CONTAINERS_MAX = 1_000;

  private final ConcurrentMap<Integer, Prepared> prepared = new ConcurrentHashMap<>();

  /** A version of a container, and what was made of it. */
  record Prepared(
      Version version,
      PartitionKeyDefinition key,
      IndexPolicy policy,
      ComputedProperties computed,
      VectorPolicy vectors) {

    CompiledQuery compile(String text) {
      return Queries.compile(text, vectors).with(computed);
    }

    private static Prepared of(ContainerEntry container) {
      ContainerDefinition definition = container.definition();
      Map<String, CompiledQuery> computed = new LinkedHashMap<>();
      VectorPolicy vectors = new VectorPolicy(definition.vectorFunctions());
      definition
          .computedProperties()
          .forEach(
              (name, query) -> {
                CompiledQuery compiled = Queries.compile(query, vectors);
                // Definitions made before these were refused: the property has no value.
                if (compiled.userFunctions().isEmpty()) {
                  computed.put(name, compiled);
                }
              });
      return new Prepared(
          container.version(),
          definition.key(),
          IndexPolicy.of(definition.indexingPolicy(), definition.key()),
          new ComputedProperties(computed),
          vectors);
    }
  }

  Prepared of(ContainerEntry container) {
    Prepared known = prepared.get(container.number());
    if (known != null && known.version.equals(container.version())) {
      return known;
    }
    if (prepared.size() >= CONTAINERS_MAX) {
      prepared.clear();
    }
    Prepared made = Prepared.of(container);
    prepared.put(container.number(), made);
    return made;
  }
}
