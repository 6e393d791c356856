package io.orrery.partition;

import io.orrery.partition.format.v1.ItemRecord;

/**
 * Which of the items that are stored are there for clients at a moment: not those that a marker
 * hides, nor those whose time is over.
 */
record Visibility(Markers markers, TimeToLive timeToLive, long nowSeconds) {

  boolean hides(ItemRecord item) {
    return markers.hides(item) || isExpired(item);
  }

  boolean isExpired(ItemRecord item) {
    return timeToLive.isOn() && timeToLive.expirySeconds(item) <= nowSeconds;
  }

  Visibility with(Markers changed) {
    return new Visibility(changed, timeToLive, nowSeconds);
  }
}
