package io.orrery.operation;

import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;

/** A query's text and the values of its parameters, by name with the {@code @}. */
public record SqlQuery(String text, Map<String, Body> parameters) implements Serializable {
  public SqlQuery {
    // Clients choose the names: sorted, those that were made to share a hash cost no more.
    parameters = new TreeMap<>(parameters);
  }
}
