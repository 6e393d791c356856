package io.orrery.operation;

import java.io.Serializable;

/** A database as a request names it: by id or by rid; an id wins where the text could be both. */
public record DatabaseRef(String idOrRid) implements Serializable {}
