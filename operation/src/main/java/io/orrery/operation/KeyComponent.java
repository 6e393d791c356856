package io.orrery.operation;

/** The value at one partition key path of an item. */
public sealed interface KeyComponent {

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

  /** A number; negative zero is zero, so that equal keys hash alike. */
  record Num(double value) implements KeyComponent {
    public Num {
      value = value == 0 ? 0 : value;
    }
  }

  /** A string. */
  record Text(String value) implements KeyComponent {}
}
