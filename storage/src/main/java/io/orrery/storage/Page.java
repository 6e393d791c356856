package io.orrery.storage;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bounded stretch of a scan from one state.
 *
 * @param more whether the range holds entries beyond the last one given
 */
public record Page(@Nullable Head head, List<Entry> entries, boolean more) {}
