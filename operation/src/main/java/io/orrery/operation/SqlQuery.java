package io.orrery.operation;

import java.io.Serializable;
import java.util.Map;

/** A query's text and the values of its parameters, by name with the {@code @}. */
public record SqlQuery(String text, Map<String, Body> parameters) implements Serializable {
  public SqlQuery {
    parameters = Map.copyOf(parameters);
  }
}
