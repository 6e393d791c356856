package io.orrery.operation;

/** A permission of a user as a request names it: by id or by rid. */
public record PermissionRef(UserRef user, String idOrRid) {}
