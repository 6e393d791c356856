package io.orrery.model;

import org.jspecify.annotations.Nullable;

/**
 * What decides which items have expired.
 *
 * @param timeToLive of the container; null where items never expire
 */
record Moment(@Nullable Integer timeToLive, long seconds) {

  boolean isExpired(Version version) {
    Integer own = timeToLive == null ? null : version.content().ttl();
    Integer lives = own == null ? timeToLive : own;
    return lives != null
        && lives >= 0
        && version.stamp().ticks() / Clock.TICKS_PER_SECOND + lives <= seconds;
  }
}
