package io.orrery.operation;

import java.io.Serializable;

/** The value at one partition key path of an item. */
public sealed interface KeyComponent extends Serializable {

  /** The item has nothing at the path. */
  enum Undefined implements KeyComponent {
    UNDEFINED
  }

  /** JSON null. */
  enum Null implements KeyComponent {
    NULL
  }

  /** True or false. */
  record Bool(boolean value) implements KeyComponent {}

  /**
   * A number. Whoever makes one from data writes zero for negative zero: hashes tell them apart.
   */
  record Num(double value) implements KeyComponent {}

  /** A string. */
  record Text(String value) implements KeyComponent {}
}
