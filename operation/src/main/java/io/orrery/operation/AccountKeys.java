package io.orrery.operation;

import java.util.List;

/**
 * The secrets that open the account, as clients hold them (base64).
 *
 * @param readWrite allow everything: primary, secondary, and on loopback the well-known one
 * @param readOnly allow reading
 */
public record AccountKeys(List<String> readWrite, List<String> readOnly) {
  /** The key of the classic emulator, which every client library knows. */
  public static final String WELL_KNOWN =
      "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

  public AccountKeys {
    readWrite = List.copyOf(readWrite);
    readOnly = List.copyOf(readOnly);
  }
}
