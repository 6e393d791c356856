package io.orrery.query.function;

import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The total order of values: undefined, null, booleans, numbers, strings, arrays, objects. Numbers
 * compare by their exact numeric value, strings by code point, as their index terms do.
 */
public final class ValueOrder implements Comparator<Value> {
  public static final ValueOrder ORDER = new ValueOrder();
  private static final double TWO_63 = 0x1p63;
  private static final Comparator<Map.Entry<String, Value>> BY_NAME =
      (left, right) -> compareText(left.getKey(), right.getKey());
  private static final int WALKED_MEMBERS = 32;
  private static final long ENTRY_BYTES = 128;

  private ValueOrder() {}

  /** Rank of the type in the order. */
  public static int rank(Value value) {
    return switch (value) {
      case Value.Undefined _ -> 0;
      case Value.Null _ -> 1;
      case Value.Bool _ -> 2;
      case Value.Num _ -> 3;
      case Value.Text _ -> 4;
      case Value.Arr _ -> 5;
      case Value.Obj _ -> 6;
    };
  }

  @Override
  public int compare(Value left, Value right) {
    return compare(left, right, Work.UNCOUNTED);
  }

  /** The same, counted: rows may be sorted by values of megabytes each. */
  public int compare(Value left, Value right, Work work) {
    int byType = Integer.compare(rank(left), rank(right));
    if (byType != 0) {
      return byType;
    }
    return switch (left) {
      case Value.Undefined _, Value.Null _ -> 0;
      case Value.Bool bool -> bool.compareTo((Value.Bool) right);
      case Value.Num number -> compareNumbers(number, (Value.Num) right);
      case Value.Text(String text) -> compareText(text, ((Value.Text) right).value(), work);
      case Value.Arr array -> compareItems(array, (Value.Arr) right, work);
      case Value.Obj _ -> compareMembers(left, right, work);
    };
  }

  /** Deep equality, numbers by value, the order of members irrelevant. */
  public static boolean equal(Value left, Value right) {
    return equal(left, right, Work.UNCOUNTED);
  }

  /** The same, counted: a query may compare long values again and again. */
  public static boolean equal(Value left, Value right, Work work) {
    return switch (left) {
      case Value.Undefined _, Value.Null _, Value.Bool _ -> left.equals(right);
      case Value.Num number ->
          right instanceof Value.Num other && compareNumbers(number, other) == 0;
      case Value.Text(String text) ->
          right instanceof Value.Text(String other) && equalText(text, other, work);
      case Value.Arr array -> right instanceof Value.Arr other && equalItems(array, other, work);
      case Value.Obj object ->
          right instanceof Value.Obj other && equalMembers(object, other, work);
    };
  }

  /** A hash that agrees with {@link #equal}. */
  public static int hash(Value value) {
    return hash(value, Work.UNCOUNTED);
  }

  /** The same, counted. */
  static int hash(Value value, Work work) {
    return switch (value) {
      case Value.Undefined _ -> 1;
      case Value.Null _ -> 2;
      case Value.Bool bool -> bool == Value.Bool.TRUE ? 3 : 5;
      case Value.Num number -> Double.hashCode(number.asDouble() + 0.0);
      case Value.Text(String text) -> text.hashCode();
      case Value.Arr(List<Value> items) -> {
        read(value, work);
        int hash = 7;
        for (Value item : items) {
          hash = 31 * hash + hash(item, work);
        }
        yield hash;
      }
      case Value.Obj(Map<String, Value> members) -> {
        read(value, work);
        int hash = 11;
        for (Map.Entry<String, Value> member : members.entrySet()) {
          hash += member.getKey().hashCode() ^ (31 * hash(member.getValue(), work));
        }
        yield hash;
      }
    };
  }

  public static int compareNumbers(Value.Num left, Value.Num right) {
    if (left instanceof Value.Int64(long a)) {
      return right instanceof Value.Int64(long b)
          ? Long.compare(a, b)
          : compare(a, right.asDouble());
    }
    if (right instanceof Value.Int64(long b)) {
      return -compare(b, left.asDouble());
    }
    double a = left.asDouble();
    double b = right.asDouble();
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : Double.compare(a, b);
  }

  /** An integer against a double without rounding the integer. */
  private static int compare(long whole, double number) {
    if (Double.isNaN(number) || number >= TWO_63) {
      return -1;
    }
    if (number < -TWO_63) {
      return 1;
    }
    long truncated = (long) number;
    int byWhole = Long.compare(whole, truncated);
    return byWhole != 0 ? byWhole : Double.compare(0.0, number - truncated + 0.0);
  }

  /** By code point: unlike by UTF-16 unit, this is the order of the UTF-8 bytes. */
  public static int compareText(String left, String right) {
    return compareText(left, right, Work.UNCOUNTED);
  }

  private static int compareText(String left, String right, Work work) {
    int common = Math.min(left.length(), right.length());
    int same = 0;
    while (same < common && left.charAt(same) == right.charAt(same)) {
      same++;
    }
    work.chars(same);
    if (same == common) {
      return Integer.compare(left.length(), right.length());
    }
    char a = left.charAt(same);
    char b = right.charAt(same);
    boolean bothOrNone = Character.isSurrogate(a) == Character.isSurrogate(b);
    return bothOrNone ? Character.compare(a, b) : Character.isSurrogate(a) ? 1 : -1;
  }

  /**
   * Counts that a level of a value is read. The text of stored levels is read to find their ends,
   * and again for those inside.
   */
  static void read(Value level, Work work) {
    work.chars(Math.max(0, RawJson.sizeOf(level)));
  }

  /** Element by element: asking for their number would leave an index with values that are kept. */
  private int compareItems(Value.Arr left, Value.Arr right, Work work) {
    read(left, work);
    read(right, work);
    Iterator<Value> others = right.items().iterator();
    for (Value item : left.items()) {
      if (!others.hasNext()) {
        return 1;
      }
      work.steps(1);
      int byItem = compare(item, others.next(), work);
      if (byItem != 0) {
        return byItem;
      }
    }
    return others.hasNext() ? -1 : 0;
  }

  private int compareMembers(Value left, Value right, Work work) {
    List<Map.Entry<String, Value>> a = sorted(left, work);
    List<Map.Entry<String, Value>> b = sorted(right, work);
    int common = Math.min(a.size(), b.size());
    for (int i = 0; i < common; i++) {
      work.steps(1);
      int byName = compareText(a.get(i).getKey(), b.get(i).getKey(), work);
      int by = byName != 0 ? byName : compare(a.get(i).getValue(), b.get(i).getValue(), work);
      if (by != 0) {
        return by;
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  /** The members by name: most objects have them in an order that is quickly sorted. */
  private static List<Map.Entry<String, Value>> sorted(Value object, Work work) {
    read(object, work);
    Map<String, Value> members = ((Value.Obj) object).members();
    work.steps(members.size());
    List<Map.Entry<String, Value>> sorted = new ArrayList<>(members.entrySet());
    sorted.sort(BY_NAME);
    return sorted;
  }

  private static boolean equalText(String left, String right, Work work) {
    if (left.length() != right.length()) {
      return false;
    }
    work.chars(left.length());
    return left.equals(right);
  }

  private static boolean equalItems(Value.Arr left, Value.Arr right, Work work) {
    read(left, work);
    read(right, work);
    Iterator<Value> others = right.items().iterator();
    for (Value item : left.items()) {
      work.steps(1);
      if (!others.hasNext() || !equal(item, others.next(), work)) {
        return false;
      }
    }
    return !others.hasNext();
  }

  private static boolean equalMembers(Value.Obj left, Value.Obj right, Work work) {
    read(left, work);
    read(right, work);
    int size = left.members().size();
    if (size != right.members().size()) {
      return false;
    }
    Map<String, Value> others = right.members();
    boolean walks = size <= WALKED_MEMBERS;
    if (!walks) {
      // Members of stored text are found by a walk through all of it.
      work.take(ENTRY_BYTES * size);
      others = new HashMap<>(others);
    }
    for (Map.Entry<String, Value> member : left.members().entrySet()) {
      work.steps(1);
      if (walks) {
        read(right, work);
      }
      Value other = others.get(member.getKey());
      if (other == null || !equal(member.getValue(), other, work)) {
        return false;
      }
    }
    return true;
  }
}
