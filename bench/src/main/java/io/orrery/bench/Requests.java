package io.orrery.bench;

import io.netty.buffer.ByteBuf;

/** Where a load takes its requests from; asked by many threads at once. */
interface Requests {
  /** Appends a whole request; false when there are no more. */
  boolean next(ByteBuf out);
}
