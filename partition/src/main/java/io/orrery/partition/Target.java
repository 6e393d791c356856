package io.orrery.partition;

/** An item within its logical partition. */
public sealed interface Target {

  record Id(String id) implements Target {}

  record Counter(long counter) implements Target {}
}
