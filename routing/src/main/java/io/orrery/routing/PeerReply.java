package io.orrery.routing;

import java.util.function.Consumer;

/** Takes the answer to what another node asked, once. */
public interface PeerReply extends Consumer<byte[]> {
  /** Sends an answer that can be done without, when there is memory for it; false if not. */
  default boolean tryAccept(byte[] answer) {
    accept(answer);
    return true;
  }
}
