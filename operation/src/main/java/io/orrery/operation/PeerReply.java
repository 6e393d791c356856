package io.orrery.operation;

import java.util.function.Consumer;

/** Takes the answer to what another node asked, once, on any thread. */
public interface PeerReply extends Consumer<byte[]> {
  /** Sends an answer that may be withheld, when there is memory for it; false if not. */
  boolean tryAccept(byte[] answer);

  /** One that has memory for every answer. */
  static PeerReply unbounded(Consumer<byte[]> taker) {
    return new PeerReply() {
      @Override
      public void accept(byte[] answer) {
        taker.accept(answer);
      }

      @Override
      public boolean tryAccept(byte[] answer) {
        taker.accept(answer);
        return true;
      }
    };
  }
}
