package io.orrery.query;

import io.orrery.value.Value;

/** A compiled expression. */
interface Code {
  Value run(Frame frame);
}
