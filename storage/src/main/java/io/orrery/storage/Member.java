package io.orrery.storage;

/**
 * A process that serves a storage beside others.
 *
 * @param number given at joining, higher than any before it and never given again
 * @param address where it hears the others, as {@code host:port}
 * @param build which version of the software it runs
 */
public record Member(long number, String address, String build) {}
