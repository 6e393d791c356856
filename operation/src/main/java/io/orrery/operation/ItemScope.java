package io.orrery.operation;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The container and logical partition of an item operation.
 *
 * @param key null when the request does not say it: then it is taken from the item's body
 */
public record ItemScope(ContainerRef container, @Nullable PartitionKey key)
    implements Serializable {}
