package io.orrery.operation;

import java.io.Serializable;

/** A script of a container as a request names it: by id or by rid. */
public record ScriptRef(ContainerRef container, ScriptKind kind, String idOrRid)
    implements Serializable {}
