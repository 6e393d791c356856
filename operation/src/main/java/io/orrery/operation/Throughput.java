package io.orrery.operation;

import java.io.Serializable;

/** Request units per second that a container or database is given. */
public sealed interface Throughput extends Serializable {

  /** A fixed rate. */
  record Manual(int unitsPerSecond) implements Throughput {}

  /** Up to a maximum, billed by use. */
  record Autoscale(int maximumUnitsPerSecond, int incrementPercent) implements Throughput {}

  /** The rate that decides the number of partitions. */
  default int peakUnitsPerSecond() {
    return switch (this) {
      case Manual(int units) -> units;
      case Autoscale(int maximum, int increment) -> maximum;
    };
  }
}
