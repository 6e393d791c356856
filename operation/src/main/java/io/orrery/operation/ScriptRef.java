package io.orrery.operation;

/** A script of a container as a request names it: by id or by rid. */
public record ScriptRef(ContainerRef container, ScriptKind kind, String idOrRid) {}
