package io.orrery.nosql;

import io.orrery.http.Patience;
import io.orrery.http.Protocol;
import io.orrery.operation.AccountKeys;
import io.orrery.operation.Admission;
import io.orrery.operation.Bytes;
import io.orrery.operation.Database;
import io.orrery.operation.Patch;
import io.orrery.value.MalformedBody;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parsers of the Cosmos DB protocol; null stands for a refusal. */
public final class FuzzedNosql {
  private FuzzedNosql() {}

  public static @Nullable Map<String, Long> sessionToken(String header) {
    try {
      return SessionToken.parse(header);
    } catch (RefusedRequest refused) {
      return null;
    }
  }

  public static @Nullable Patch patch(byte[] body) {
    try {
      return PatchDocument.read(body);
    } catch (RefusedRequest refused) {
      return null;
    }
  }

  /** What a management request asks for; refused or not, nothing else may come of it. */
  public static @Nullable Object management(byte[] body) {
    try {
      var asked =
          ManagementDocument.read(Bytes.of(body), "mode", "epk", "stepped", "ids", "milliseconds");
      return asked.members().containsKey("ids")
          ? asked.texts("ids")
          : asked.members().containsKey("milliseconds")
              ? asked.milliseconds()
              : List.of(asked.cut(), asked.says("stepped"));
    } catch (RefusedRequest | MalformedBody refused) {
      return null;
    }
  }

  /** The service with the usual settings. */
  public static Protocol<?> service(AccountKeys keys, Database database) {
    return new NosqlService(NosqlConfig.plain("localhost", 0, keys), database, Patience.USUAL);
  }

  /** Checks signatures; one for all inputs, because each leaves a signer with its thread. */
  public interface SignIn {
    /** Whether headers admit to a path; null when the path is none. */
    @Nullable Boolean admits(String target, String verb, List<String> headers);
  }

  public static SignIn signIn(AccountKeys keys, InstantSource clock) {
    var authenticator =
        new Authenticator(() -> keys, clock, token -> new Admission.Unreadable("no tokens"));
    return (target, verb, headers) -> {
      ResourcePath path = ResourcePath.parse(target);
      if (path == null) {
        return null;
      }
      var signed = new Authenticator.Signed(verb, headers.get(0), headers.get(1), headers.get(2));
      return !(authenticator.admit(signed, path, new Authenticator.KeyHint())
          instanceof Access.Denied);
    };
  }
}
