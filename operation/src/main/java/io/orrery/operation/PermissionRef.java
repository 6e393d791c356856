package io.orrery.operation;

import java.io.Serializable;

/** A permission of a user as a request names it: by id or by rid. */
public record PermissionRef(UserRef user, String idOrRid) implements Serializable {}
