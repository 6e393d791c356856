package io.orrery.partition;

import io.orrery.operation.Refusal;
import io.orrery.partition.format.v1.ItemRecord;
import io.orrery.value.RawJson;
import io.orrery.value.Value;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * How long items live after they were last written: as long as their own {@code ttl} says, else as
 * the container says.
 *
 * @param defaultSeconds null where items never expire, {@link #FOREVER} where only those do that
 *     say so themselves
 */
public record TimeToLive(@Nullable Integer defaultSeconds) {
  public static final TimeToLive OFF = new TimeToLive(null);
  public static final int FOREVER = -1;

  /** The time that never comes. */
  static final long NEVER = Long.MAX_VALUE;

  private static final String PROPERTY = "ttl";
  private static final byte[] QUOTED = "\"ttl\"".getBytes(StandardCharsets.UTF_8);

  boolean isOn() {
    return defaultSeconds != null;
  }

  /** Why an item cannot be stored; null when it can. */
  @Nullable Refusal refusalOf(Value.Obj content) {
    Value own = content.members().getOrDefault(PROPERTY, Value.UNDEFINED);
    if (!isOn() || own instanceof Value.Undefined || ownSeconds(own) != 0) {
      return null;
    }
    return new Refusal.BadRequest(
        "The ttl of an item is a whole number of seconds from 1 to "
            + Integer.MAX_VALUE
            + ", or -1 for an item that never expires");
  }

  /** The second from which an item is no longer there. */
  long expirySeconds(ItemRecord item) {
    Integer general = defaultSeconds;
    if (general == null) {
      return NEVER;
    }
    int own = item.bodyHolds(QUOTED) ? storedSeconds(item) : 0;
    int seconds = own == 0 ? general : own;
    return seconds == FOREVER ? NEVER : item.timestampSeconds() + seconds;
  }

  /** As {@link #ownSeconds(Value.Obj)}; what cannot be read lives as the container says. */
  private static int storedSeconds(ItemRecord item) {
    try {
      return ownSeconds(RawJson.object(item.item().body().bytes().array()));
    } catch (RuntimeException unreadable) {
      return 0;
    }
  }

  /** What the item says itself; 0 where it says nothing that makes sense. */
  static int ownSeconds(Value.Obj content) {
    return ownSeconds(content.members().getOrDefault(PROPERTY, Value.UNDEFINED));
  }

  private static int ownSeconds(Value own) {
    boolean sensible =
        own instanceof Value.Int64(long seconds)
            && (seconds == FOREVER || (seconds > 0 && seconds <= Integer.MAX_VALUE));
    return sensible ? (int) ((Value.Int64) own).value() : 0;
  }
}
