package io.orrery.operation;

import org.jspecify.annotations.Nullable;

/**
 * A body large enough that parsing it has a price, before its content is known.
 *
 * @param grant of the resource token that the request was sent with; null with an account key
 * @param scope the items that the request concerns, as far as its headers tell
 */
public record LargeBody(
    @Nullable Grant grant, ContainerRef container, FeedScope scope, long bytes) {
  /** Bodies up to this size are free unless a partition is asked. */
  private static final int SMALL_BYTES = 16 << 10;

  /** The body of a request whose headers name a key, or none. */
  public static LargeBody of(@Nullable Grant grant, ItemScope items, long bytes) {
    PartitionKey key = items.key();
    FeedScope scope = key == null ? new FeedScope.Whole() : new FeedScope.OfKey(key);
    return new LargeBody(grant, items.container(), scope, bytes);
  }

  public static boolean isLarge(long bytes) {
    return bytes > SMALL_BYTES;
  }
}
