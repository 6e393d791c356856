package io.orrery.routing;

import io.orrery.operation.Bytes;
import io.orrery.routing.catalog.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.crypto.spec.SecretKeySpec;

/** Keys that follow from the catalog's secrets, made again when those were rotated. */
final class SigningKeys {
  private final Supplier<Secrets> secrets;
  private final Function<byte[], SecretKeySpec> derive;
  private volatile Made made = new Made(new Secrets(List.of()), List.of());

  /** What was made of which secrets. */
  private record Made(Secrets of, List<SecretKeySpec> keys) {}

  /**
   * @param derive makes a key of a secret
   */
  SigningKeys(Supplier<Secrets> secrets, Function<byte[], SecretKeySpec> derive) {
    this.secrets = secrets;
    this.derive = derive;
  }

  /** The key that signs. */
  SecretKeySpec current() {
    return all().getFirst();
  }

  /** The keys whose signatures are valid, the one that signs first. */
  // Secrets are one object until they change.
  @SuppressWarnings("ReferenceEquality")
  List<SecretKeySpec> all() {
    Secrets now = secrets.get();
    Made known = made;
    if (known.of() == now) {
      return known.keys();
    }
    var keys = new ArrayList<SecretKeySpec>();
    for (Bytes secret : now.all()) {
      keys.add(derive.apply(secret.array()));
    }
    made = new Made(now, List.copyOf(keys));
    return keys;
  }
}
