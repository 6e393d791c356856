package io.orrery.operation;

import java.io.Serializable;

/** A database as a request names it: by id or by rid; a rid wins where the text could be both. */
public record DatabaseRef(String idOrRid) implements Serializable {
  /** Holds the tables of the account, whose names have no regard to case. */
  public static final DatabaseRef TABLES = new DatabaseRef("TablesDB");
}
