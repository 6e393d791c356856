package io.orrery.query.function;

import io.orrery.value.Value;

/** A built-in function: how many arguments it takes and what it makes of them. */
public record Function(String name, int least, int most, Body body) {
  /** Any number of arguments above the least. */
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  /** The function itself; wrong types give undefined, never an exception. */
  public interface Body {
    Value apply(Value[] arguments, Work work);
  }

  /** A function of its arguments alone whose cost does not grow with them. */
  public interface Pure {
    Value apply(Value[] arguments);
  }

  /** Undefined as soon as one argument is. */
  static Function strict(String name, int least, int most, Pure body) {
    return strict(name, least, most, (arguments, work) -> body.apply(arguments));
  }

  /** As above, for functions that count what they do. */
  static Function strict(String name, int least, int most, Body body) {
    return new Function(
        name,
        least,
        most,
        (arguments, work) -> {
          for (Value argument : arguments) {
            if (argument instanceof Value.Undefined) {
              return Value.UNDEFINED;
            }
          }
          return body.apply(arguments, work);
        });
  }

  static Function strict(String name, int count, Pure body) {
    return strict(name, count, count, body);
  }

  static Function strict(String name, int count, Body body) {
    return strict(name, count, count, body);
  }

  /** Sees undefined arguments as they are. */
  static Function lenient(String name, int least, int most, Pure body) {
    return new Function(name, least, most, (arguments, work) -> body.apply(arguments));
  }

  static Function lenient(String name, int least, int most, Body body) {
    return new Function(name, least, most, body);
  }

  /** The phrase the service uses when the count is wrong. */
  public String arity() {
    if (most == UNBOUNDED) {
      return "at least " + least;
    }
    return least == most ? Integer.toString(least) : least + " to " + most;
  }

  public boolean takes(int count) {
    return count >= least && count <= most;
  }
}
