package io.orrery.operation;

import org.jspecify.annotations.Nullable;

/**
 * Replaces account keys while the server runs: by new ones, or by those that the file of settings
 * has now.
 */
public interface KeyRotation {
  /** Names what signs resource tokens and continuations, which is no account key. */
  String SECRET = "secret";

  /** Where the keys are not kept by the server. */
  KeyRotation NONE = name -> "This server does not keep the account keys.";

  /**
   * Puts a new key in the place of the one of that name, durably; may block.
   *
   * @return why it cannot be done; null when it is done
   */
  @Nullable String rotate(String name);
}
