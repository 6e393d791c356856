package io.orrery.query.function;

/** A position in degrees. */
record GeoPoint(double longitude, double latitude) {}
