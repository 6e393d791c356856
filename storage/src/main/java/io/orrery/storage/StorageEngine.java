package io.orrery.storage;

import java.util.Map;

/** An engine that is looked up by name, so that its jars are there only where it is used. */
public interface StorageEngine {

  /** As users write it. */
  String name();

  /**
   * Opens or creates a storage; fails with a StorageFault that says what to do about it.
   *
   * @param settings what the engine knows how to read
   */
  Storage open(Map<String, String> settings);
}
