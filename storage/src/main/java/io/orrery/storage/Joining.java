package io.orrery.storage;

import java.util.Map;

/**
 * How a process comes to those that serve a storage already.
 *
 * @param address where it hears the others, as {@code host:port}
 * @param build which version of the software it runs
 * @param common what all of them must have in common: per setting, named as users write it, its
 *     value, or a fingerprint of what is secret
 */
public record Joining(String address, String build, Map<String, String> common) {
  public Joining {
    common = Map.copyOf(common);
  }
}
