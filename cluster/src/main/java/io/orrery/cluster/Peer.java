package io.orrery.cluster;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.orrery.operation.PeerOverloaded;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Another node: a connection to it when one is needed. All but {@link #call} is the loop's. */
final class Peer {
  private final String name;
  private final InetSocketAddress address;
  private final EventLoop loop;
  private final Secret secret;
  private final NodeRoom answers;
  private final Strangers strangers;
  private final long waitingBytesMax;
  private final AtomicLong waitingBytes = new AtomicLong();
  private final List<Call> queued = new ArrayList<>();
  private @Nullable CallingConnection connection;
  private boolean connecting;
  private boolean closed;

  Peer(
      String name,
      InetSocketAddress address,
      EventLoop loop,
      Secret secret,
      NodeRoom answers,
      long waitingBytesMax,
      Strangers strangers) {
    this.name = name;
    this.address = address;
    this.loop = loop;
    this.secret = secret;
    this.answers = answers;
    this.strangers = strangers;
    this.waitingBytesMax = waitingBytesMax;
  }

  Call call(byte[] request) {
    long weight = Call.weight(request);
    var call = new Call(request, () -> waitingBytes.addAndGet(-weight));
    long before = waitingBytes.getAndAdd(weight);
    if (before > 0 && before + weight > waitingBytesMax) {
      call.completeExceptionally(new PeerOverloaded(name));
      return call;
    }
    try {
      loop.execute(() -> start(call));
    } catch (RejectedExecutionException stopped) {
      call.failUnsent(name, gone());
    }
    return call;
  }

  private void start(Call call) {
    if (closed) {
      call.failUnsent(name, gone());
    } else if (connection != null && connection.isOpen()) {
      connection.send(call);
    } else if (!call.isDone()) {
      queued.add(call);
      connect();
    }
  }

  private static ConnectException gone() {
    return new ConnectException("is not talked to any more");
  }

  private void connect() {
    if (connecting) {
      return;
    }
    connecting = true;
    ChannelFuture connected =
        Transport.caller(loop)
            .handler(
                new ChannelInitializer<>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel
                        .pipeline()
                        .addLast(new Handshake(secret, Secret.Role.CALLER, answers, new Greeted()));
                  }
                })
            .connect(address);
    var _ =
        connected.addListener(
            _ -> {
              if (!connected.isSuccess()) {
                var unreachable = new ConnectException("cannot be reached");
                unreachable.initCause(connected.cause());
                strangers.refused(name, unreachable);
                refused(unreachable);
              }
            });
  }

  private final class Greeted implements Handshake.Ending {
    @Override
    public void known(ChannelHandlerContext ctx, FrameCodec codec) {
      strangers.known(name);
      var talking = new CallingConnection(name, ctx.channel());
      Transport.talk(ctx.pipeline(), talking);
      connecting = false;
      connection = talking;
      if (closed) {
        talking.close("is not talked to any more");
      }
      take().forEach(Peer.this::start);
    }

    @Override
    public void refused(ConnectException cause) {
      strangers.refused(name, cause);
      Peer.this.refused(cause);
    }
  }

  private void refused(ConnectException cause) {
    connecting = false;
    take().forEach(call -> call.failUnsent(name, cause));
  }

  private List<Call> take() {
    List<Call> taken = List.copyOf(queued);
    queued.clear();
    return taken;
  }

  /** Fails what waits for the node, and what is asked of it from now on. */
  void close(String reason) {
    loop.execute(
        () -> {
          closed = true;
          take().forEach(call -> call.failUnsent(name, gone()));
          if (connection != null) {
            connection.close(reason);
          }
        });
  }
}
