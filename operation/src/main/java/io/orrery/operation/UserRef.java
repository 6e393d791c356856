package io.orrery.operation;

import java.io.Serializable;

/** A user of a database as a request names it: by id or by rid. */
public record UserRef(DatabaseRef database, String idOrRid) implements Serializable {}
