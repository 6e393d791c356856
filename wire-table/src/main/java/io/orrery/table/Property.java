package io.orrery.table;

/**
 * A property of an entity.
 *
 * @param text the value as its type writes it, always in the same way
 * @param quoted whether JSON writes it as a string
 * @param bytes what it counts against the limit of an entity
 */
record Property(String name, EdmType type, String text, boolean quoted, int bytes) {}
