package io.orrery.operation;

import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes to parts of an item, applied in order or not at all.
 *
 * @param condition a query predicate ({@code from c where …}) that the item must satisfy
 */
public record Patch(List<Step> steps, @Nullable String condition) implements Serializable {
  /** Of a text beside its characters, and of its place in a list. */
  private static final long TEXT_BYTES = 64;

  public Patch {
    steps = List.copyOf(steps);
  }

  /** About how much memory all of it takes. */
  public long weightBytes() {
    long sum = condition == null ? 0 : weightBytes(condition);
    for (Step step : steps) {
      sum += step.path().weightBytes();
      if (step instanceof Move(var path, var from)) {
        sum += from.weightBytes();
      }
    }
    return sum + valueBytes();
  }

  /** As if each character took two bytes. */
  private static long weightBytes(String text) {
    return TEXT_BYTES + 2L * text.length();
  }

  /** Bytes of the values of its steps; paths and the condition are not counted. */
  public long valueBytes() {
    long sum = 0;
    for (Step step : steps) {
      sum +=
          switch (step) {
            case Add(var path, var value) -> value.bytes().size();
            case Set(var path, var value) -> value.bytes().size();
            case Replace(var path, var value) -> value.bytes().size();
            case Increment(var path, var by) -> by.bytes().size();
            case Remove _, Move _ -> 0;
          };
    }
    return sum;
  }

  /** One change; paths are property names and array positions, {@code -} is the array's end. */
  public sealed interface Step extends Serializable {
    Path path();
  }

  /** Property names and array positions from the root. */
  public record Path(List<String> segments) implements Serializable {
    public Path {
      segments = List.copyOf(segments);
    }

    private long weightBytes() {
      long sum = 0;
      for (String segment : segments) {
        sum += Patch.weightBytes(segment);
      }
      return sum;
    }
  }

  /** Adds a member, or inserts into an array. */
  public record Add(Path path, Body value) implements Step {}

  /** As add, but replaces an array element instead of inserting before it. */
  public record Set(Path path, Body value) implements Step {}

  /** Replaces what exists. */
  public record Replace(Path path, Body value) implements Step {}

  /** Removes what exists. */
  public record Remove(Path path) implements Step {}

  /** Adds a number to a number, or creates it. */
  public record Increment(Path path, Body by) implements Step {}

  /** Takes a value away and adds it elsewhere. */
  public record Move(Path path, Path from) implements Step {}
}
