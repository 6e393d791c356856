package io.orrery.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AsciiString;
import io.orrery.operation.Answer;
import io.orrery.operation.Database;
import io.orrery.operation.Vitals;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request on its way to its answer. */
public final class Exchange implements Database.Reply {
  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
  private static final AsciiString ACTIVITY_ID = AsciiString.cached("x-ms-activity-id");
  private static final int UUID_CHARACTERS = 36;

  private final HttpConnection<?> connection;
  private final String target;
  private final boolean head;
  private final String activityId;
  private final boolean oldVersion;
  private final long startNanos = System.nanoTime();
  private boolean last;
  private volatile boolean cancelled;
  private boolean onWorker;
  private String routeName = "None";

  /** Begins with the head of a request. */
  Exchange(HttpConnection<?> connection, HttpRequest request) {
    this.connection = connection;
    this.target = request.uri();
    this.head = request.method().equals(HttpMethod.HEAD);
    this.activityId = activityId(request.headers().get(ACTIVITY_ID));
    this.oldVersion = request.protocolVersion().equals(HttpVersion.HTTP_1_0);
    this.last = !HttpUtil.isKeepAlive(request);
  }

  private static String activityId(@Nullable String given) {
    if (given != null && isUuid(given)) {
      return given;
    }
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long versioned = (random.nextLong() & ~0xF000L) | 0x4000L;
    long variant = (random.nextLong() & Long.MAX_VALUE >>> 1) | Long.MIN_VALUE;
    return new UUID(versioned, variant).toString();
  }

  private static boolean isUuid(String text) {
    if (text.length() != UUID_CHARACTERS) {
      return false;
    }
    for (int i = 0; i < UUID_CHARACTERS; i++) {
      boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
      char c = text.charAt(i);
      if (dash ? c != '-' : c > 0x7F || Character.digit(c, 16) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The request failed for no reason of its own. */
  void report(Throwable fault) {
    if (fault instanceof Error) {
      Vitals.count(Vitals.Symptom.UNCAUGHT_ERROR);
    }
    LOG.error("A request failed, activity {}, route {}", activityId, routeName, fault);
  }

  /** A route was found; observers know it by its name. */
  public void routed(String name) {
    routeName = name;
  }

  public void closeAfterwards() {
    last = true;
  }

  @Override
  public void answer(Answer answer) {
    connection.answered(this, answer);
  }

  @Override
  public void fault(Throwable fault) {
    connection.failed(this, fault);
  }

  /** Lets a worker decide, which holds the body meanwhile; false when too many wait for it. */
  boolean decideOn(Executor worker, Runnable decision) {
    workerBegins();
    try {
      worker.execute(decision);
      return true;
    } catch (RuntimeException | Error e) {
      workerEnds(); // it was not started
      if (e instanceof RejectedExecutionException) {
        return false;
      }
      throw e;
    }
  }

  private synchronized void workerBegins() {
    onWorker = true;
  }

  /** The worker holds nothing more; true when it has to return the memory of the body. */
  synchronized boolean workerEnds() {
    onWorker = false;
    return cancelled;
  }

  /** Its client is gone; false when a worker returns the memory of the body. */
  synchronized boolean cancel() {
    cancelled = true;
    return !onWorker;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  public String target() {
    return target;
  }

  @Override
  public String activityId() {
    return activityId;
  }

  public long startNanos() {
    return startNanos;
  }

  /** Whether the connection ends with this answer. */
  public boolean isLast() {
    return last || connection.isStopping();
  }

  public boolean isHead() {
    return head;
  }

  /** Whether it came over HTTP/1.0, where connections end unless told otherwise. */
  public boolean isOldVersion() {
    return oldVersion;
  }

  public String routeName() {
    return routeName;
  }
}
