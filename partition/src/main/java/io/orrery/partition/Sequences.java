package io.orrery.partition;

/** Gives new items their document sequences. */
interface Sequences {
  long next();
}
