package io.orrery.bench;

import io.netty.channel.ChannelHandlerContext;

/** What the bare server does with a request whose signature is right. */
interface BareBackend {
  /** Answers now or later, with or without flushing; called on the connection's event loop. */
  void serve(ChannelHandlerContext context, Call call);

  /** How often a block was found in memory, and how often not. */
  String metrics();

  /** A request; the id is empty for a create, whose body has it, and for pages. */
  final class Call {
    private final String id;
    private final String key;
    private final String etag;
    private final byte[] body;

    Call(String id, String key, String etag, byte[] body) {
      this.id = id;
      this.key = key;
      this.etag = etag;
      this.body = body;
    }

    String id() {
      return id;
    }

    String key() {
      return key;
    }

    /** What a reader of changes has seen already, without its quotation marks. */
    String etag() {
      return etag;
    }

    byte[] body() {
      return body;
    }
  }
}
