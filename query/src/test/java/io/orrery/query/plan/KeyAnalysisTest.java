package io.orrery.query.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.orrery.operation.PartitionKeyDefinition;
import io.orrery.query.CompiledQuery;
import io.orrery.query.ComputedProperties;
import io.orrery.query.Parameters;
import io.orrery.query.Queries;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeyAnalysisTest {
  private static final PartitionKeyDefinition KEY =
      new PartitionKeyDefinition(List.of(List.of("pk")), PartitionKeyDefinition.Hashing.HASH_V2);

  /** The property hides the key: an item of key a has c.pk = 'A'. */
  @Test
  void aComputedPropertyNamedLikeTheKeyRestrictsNoKeys() {
    var upper = Queries.compile("SELECT VALUE UPPER(c.pk) FROM c");
    CompiledQuery query =
        Queries.compile("SELECT * FROM c WHERE c.pk = 'A'")
            .with(new ComputedProperties(Map.of("pk", upper)));
    assertEquals(new KeyFilter.Everything(), KeyAnalysis.of(query, Parameters.none(), KEY));
  }
}
