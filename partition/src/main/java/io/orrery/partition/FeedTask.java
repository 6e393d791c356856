package io.orrery.partition;

/** Which page of a feed is wanted: items with counters above {@code afterCounter}, in order. */
public record FeedTask(FeedSlice slice, long afterCounter, int maxItems, int maxBytes) {}
