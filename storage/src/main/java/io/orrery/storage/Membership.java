package io.orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The processes that serve one storage together. All learn who is there from the same place, though
 * not at the same moment.
 */
public interface Membership extends AutoCloseable {

  /** This process; after it was taken for dead it comes back under another number. */
  Member self();

  /** Those that are there as far as is known, the eldest first. Does not block. */
  List<Member> members();

  /**
   * Those that are there now: nobody is missing who had joined before the call. Blocks.
   *
   * @throws StorageFault when that cannot be learnt
   */
  List<Member> membersNow();

  /**
   * Whether the others are certain to count this process, under the number that {@link #self} has,
   * among the members: false as soon as they might not, by the clock of this machine, even after it
   * was paused. Does not block.
   */
  boolean isCurrent();

  /**
   * What keeps this process from being current, in words for operators; null when it is. At once.
   */
  default @Nullable String trouble() {
    return isCurrent() ? null : "this node is not counted among the members";
  }

  /** Is told after every change of the members, of this process, or of being current. */
  void onChange(Runnable listener);

  /** Leaves; the others see it at once. */
  @Override
  void close();
}
