package io.orrery.fuzz;

import io.orrery.nosql.FuzzedNosql;
import io.orrery.operation.Body;
import io.orrery.operation.ScriptKind;
import io.orrery.query.index.IndexPolicy;
import io.orrery.query.index.ItemTerms;
import io.orrery.routing.definition.ContainerDefinition;
import io.orrery.routing.definition.DatabaseDefinition;
import io.orrery.routing.definition.PermissionDefinition;
import io.orrery.routing.definition.ScriptDefinition;
import io.orrery.routing.definition.ThroughputRules;
import io.orrery.routing.definition.UserDefinition;
import io.orrery.value.MalformedBody;
import io.orrery.value.Value;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads definitions of resources; what is kept of one is read as the same again. */
final class DefinitionTarget implements Target {
  private final List<Value> items = Samples.items();

  @Override
  public void run(byte[] input) {
    Body body = Body.json(Expansion.of(input));
    ContainerDefinition container = read(body, given -> ContainerDefinition.parse(given, true));
    if (container != null) {
      container(container);
    }
    PermissionDefinition permission = read(body, PermissionDefinition::parse);
    if (permission != null) {
      Finding.unlessEqual(
          permission,
          PermissionDefinition.stored(permission.json().members()),
          "a permission kept and read");
    }
    var _ = read(body, DatabaseDefinition::parse);
    var _ = read(body, UserDefinition::parse);
    var _ = read(body, offer -> ThroughputRules.ofOffer(offer, "offer"));
    var _ = FuzzedNosql.management(body.bytes().array());
    for (ScriptKind kind : ScriptKind.values()) {
      ScriptDefinition script = read(body, given -> ScriptDefinition.parse(kind, given));
      if (script != null) {
        Finding.unlessEqual(
            script,
            ScriptDefinition.stored(kind, script.json().members()),
            "a script kept and read");
      }
    }
  }

  private static <T> @Nullable T read(Body body, Function<Body, T> reading) {
    try {
      return reading.apply(body);
    } catch (MalformedBody refused) {
      return null;
    }
  }

  private void container(ContainerDefinition container) {
    Finding.unlessEqual(
        container, ContainerDefinition.stored(container.json()), "a container kept and read");
    Finding.unlessEqual(
        container,
        ContainerDefinition.parse(container.body(), true),
        "a container shown and sent again");
    var _ = container.uniqueKeys();
    var _ = container.vectorFunctions();
    var _ = container.computedProperties();
    var _ = container.versionRetention();
    var _ = container.defaultTtl();
    IndexPolicy policy = IndexPolicy.of(container.indexingPolicy(), container.key());
    for (Value item : items) {
      var content = (Value.Obj) item;
      var _ = ItemTerms.of(content, Samples.TIMESTAMP, policy);
      Finding.unlessEqual(0, policy.changedTerms(content, content), "terms of no change");
    }
  }
}
