package io.orrery.routing;

import io.orrery.operation.EpkRange;
import io.orrery.partition.FeedSlice;
import io.orrery.routing.catalog.MappedRange;

/** What a query asks of one partition: the part of its items that the query covers. */
record Shard(MappedRange range, FeedSlice slice, EpkRange epks) {}
