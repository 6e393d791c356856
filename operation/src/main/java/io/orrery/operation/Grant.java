package io.orrery.operation;

import java.io.Serializable;

/**
 * What a resource token stands for: one version of a permission, until a time.
 *
 * @param permissionRid the permission that the token was made of
 * @param permission its version then; a permission that was replaced since grants nothing
 * @param resourceRid the resource that it was for; another one of the same name is not meant
 * @param expirySeconds since 1970, when it ends
 */
public record Grant(String permissionRid, Etag permission, String resourceRid, long expirySeconds)
    implements Serializable {
  /** How long a token is good for when nobody says it. */
  public static final int VALID_SECONDS_DEFAULT = 3_600;

  /** How long it may be good for. */
  public static final int VALID_SECONDS_MAX = 18_000;
}
