package io.orrery.routing;

import io.orrery.operation.Admission;
import io.orrery.operation.Bytes;
import io.orrery.operation.Operation;
import io.orrery.routing.catalog.Secrets;
import java.io.IOException;
import java.io.Serializable;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens that clients carry, and messages between nodes. */
public final class FuzzedRouting {
  private static final Secrets SECRETS =
      new Secrets(List.of(Bytes.of(new byte[32]), Bytes.utf8("the secret before a rotation was")));
  private static final Continuations CONTINUATIONS = new Continuations(() -> SECRETS);
  private static final ResourceTokens TOKENS =
      new ResourceTokens(() -> SECRETS, InstantSource.system());

  private FuzzedRouting() {}

  public static String seal(String feed, String position) {
    return CONTINUATIONS.seal(feed, position);
  }

  /** The position of a continuation; null when it is none of the feed. */
  public static @Nullable String find(String feed, String token) {
    return CONTINUATIONS.find(feed, token);
  }

  public static Admission openResourceToken(String token) {
    return TOKENS.open(token);
  }

  /** Where a query goes on, read and written again. */
  public static String queryToken(String text) {
    return QueryToken.parse(text).text();
  }

  public static byte[] request(Operation operation) {
    return Messages.write(new Message.Execute(operation, null, 1, 1_000));
  }

  /** A message between nodes. */
  public static Serializable message(byte[] bytes) throws IOException {
    return Messages.read(bytes);
  }

  public static byte[] write(Serializable message) {
    return Messages.write((Message) message);
  }
}
