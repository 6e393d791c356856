package io.orrery.operation;

/** How fresh reads must be, strongest first. */
public enum ConsistencyLevel {
  STRONG("Strong"),
  BOUNDED_STALENESS("BoundedStaleness"),
  SESSION("Session"),
  CONSISTENT_PREFIX("ConsistentPrefix"),
  EVENTUAL("Eventual");

  private final String text;

  ConsistencyLevel(String text) {
    this.text = text;
  }

  /** The name on the wire. */
  public String text() {
    return text;
  }
}
