package io.orrery.operation;

import org.jspecify.annotations.Nullable;

/**
 * A body that takes long enough to parse to have a price, before it is known what it asks for.
 *
 * @param grant of the resource token that the request was shown with; null with an account key
 * @param scope the items that the request concerns, as far as its head tells
 */
public record LargeBody(
    @Nullable Grant grant, ContainerRef container, FeedScope scope, long bytes) {
  /** Smaller ones are free unless something is done with them: those of usual errors. */
  private static final int SMALL_BYTES = 16 << 10;

  /** Of a request whose head names a key, or none. */
  public static LargeBody of(@Nullable Grant grant, ItemScope items, long bytes) {
    PartitionKey key = items.key();
    FeedScope scope = key == null ? new FeedScope.Whole() : new FeedScope.OfKey(key);
    return new LargeBody(grant, items.container(), scope, bytes);
  }

  public static boolean isLarge(long bytes) {
    return bytes > SMALL_BYTES;
  }
}
