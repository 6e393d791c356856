package io.orrery.operation;

import java.io.ObjectInputFilter;
import java.util.Set;

/** Lets values of the house in, and what they are made of; no other class is even looked at. */
final class SentFilter implements ObjectInputFilter {
  /** Deeper than any operation or answer, far from what a stack holds. */
  private static final int DEPTH_MAX = 64;

  private static final String HOUSE = SentFilter.class.getPackageName();

  /** {@code CollSer} and {@code Ser} are the forms in which collections and durations travel. */
  private static final Set<String> OF_THE_JDK =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Double",
          "java.lang.Enum",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Number",
          "java.lang.Object",
          "java.lang.String",
          "java.time.Duration",
          "java.time.Ser",
          "java.util.CollSer",
          "java.util.ImmutableCollections",
          "java.util.TreeMap",
          "java.util.TreeSet");

  private final long bytes;
  private final Set<String> packages;

  /** For a message of so many bytes. */
  SentFilter(long bytes, String... packages) {
    this.bytes = bytes;
    this.packages = Set.of(packages);
  }

  @Override
  public Status checkInput(FilterInfo info) {
    if (info.depth() > DEPTH_MAX) {
      throw new UnreadableMessage("A message nests deeper than " + DEPTH_MAX, null);
    }
    // Every element takes a byte at least, so no honest array is longer than the message.
    if (info.arrayLength() > bytes) {
      throw new UnreadableMessage("A message has an array longer than itself", null);
    }
    Class<?> named = info.serialClass();
    if (named != null && !admits(element(named))) {
      throw new UnreadableMessage("A message holds what nodes do not send: " + named, null);
    }
    return Status.ALLOWED;
  }

  private boolean admits(Class<?> type) {
    return type.isPrimitive()
        || OF_THE_JDK.contains(type.getNestHost().getName())
        || type.getPackageName().equals(HOUSE)
        || packages.contains(type.getPackageName())
        || isRule(type);
  }

  private static Class<?> element(Class<?> named) {
    Class<?> type = named;
    while (type.isArray()) {
      type = type.getComponentType();
    }
    return type;
  }

  /** Protocols keep rules of their own, which are constants. */
  private static boolean isRule(Class<?> type) {
    return type.isEnum() && ItemRule.class.isAssignableFrom(type);
  }
}
