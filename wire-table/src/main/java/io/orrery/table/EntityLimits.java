package io.orrery.table;

import io.orrery.operation.Body;
import io.orrery.operation.ItemRule;
import io.orrery.operation.Refusal;
import io.orrery.value.RawMembers;
import org.jspecify.annotations.Nullable;

/** How much an entity may hold, whether it came at once or was merged. */
enum EntityLimits implements ItemRule {
  LIMITS;

  /** Beside the keys and the time. */
  private static final int PROPERTIES_MAX = 252;

  private static final int BYTES_MAX = 1 << 20;

  /** Why there is no such entity; null when there may be. */
  static @Nullable Refusal refusal(int properties, int bytes) {
    if (properties > PROPERTIES_MAX) {
      return new Refusal.TooManyMembers(properties, PROPERTIES_MAX);
    }
    return bytes > BYTES_MAX ? new Refusal.TooLarge(bytes, BYTES_MAX) : null;
  }

  /** The same of the item that holds an entity. */
  @Override
  public @Nullable Refusal refusal(Body item) {
    byte[] text = item.bytes().array();
    // The text has every name and value, and more: mostly it need not be measured.
    boolean measured = text.length > BYTES_MAX;
    int properties = 0;
    int bytes = 0;
    var members = new RawMembers(text, 0);
    while (members.next()) {
      if (!members.isNamed(Properties.ID) && !members.isNamed(Properties.KEY)) {
        properties++;
        bytes += measured ? members.name().length() + bytes(text, members) : 0;
      }
    }
    return refusal(properties, bytes);
  }

  private static int bytes(byte[] text, RawMembers member) {
    if (text[member.valueFrom()] == '{') {
      EdmType type = null;
      int bytes = -1;
      var inner = new RawMembers(text, member.valueFrom());
      while (inner.next()) {
        if (inner.isNamed(Properties.TYPE) && text[inner.valueFrom()] == '"') {
          type = EdmType.of(inner.string());
        } else if (inner.isNamed(Properties.VALUE)) {
          bytes = plainBytes(text, inner);
        }
      }
      if (type != null && bytes >= 0) {
        return EdmValue.bytes(type, bytes);
      }
    }
    return plainBytes(text, member);
  }

  private static int plainBytes(byte[] text, RawMembers member) {
    return text[member.valueFrom()] == '"'
        ? member.string().length()
        : member.valueTo() - member.valueFrom();
  }
}
