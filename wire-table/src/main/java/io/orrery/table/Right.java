package io.orrery.table;

/** What a request may need. */
enum Right {
  READ,
  ADD,
  UPDATE,
  DELETE,
  LIST_TABLES,
  CREATE_TABLE,
  DELETE_TABLE
}
