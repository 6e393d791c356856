package io.orrery.value;

/** Content of a value that still is the text it was read from. */
sealed interface RawText permits RawObject, RawArray, ItemView {
  void putInto(JsonOut out);

  int sizeBytes();
}
