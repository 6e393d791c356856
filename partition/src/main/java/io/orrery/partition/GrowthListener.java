package io.orrery.partition;

/** Is told when a partition holds more than it should. */
public interface GrowthListener {
  /** Called by the partition's writer; returns at once. */
  void grown();
}
