package io.orrery.model;

/** Names an item: its partition key and its id. */
record Name(String key, String id) {
  @Override
  public String toString() {
    return key + "/" + id;
  }
}
