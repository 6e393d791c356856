package io.orrery.query.plan;

/** The place in a rewritten query where clients put from which row on to read. */
public final class OrderFilter {
  /** Written in parentheses, as every client looks for it. */
  public static final String PLACEHOLDER = "({documentdb-formattableorderbyquery-filter})";

  private OrderFilter() {}
}
