package io.orrery.script;

/**
 * A script as its author wrote it: one function, or several of which the first is called.
 *
 * @param id names it in stack traces
 */
public record ScriptText(String id, String body) {}
