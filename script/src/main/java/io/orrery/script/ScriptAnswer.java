package io.orrery.script;

import org.jspecify.annotations.Nullable;

/**
 * What a script left behind.
 *
 * @param body JSON: what it answers, or the item that a pre-trigger made of the one it was given;
 *     null when there was none, and when a post-trigger left the answer as it was
 * @param log what it wrote to the console
 */
public record ScriptAnswer(@Nullable String body, String log) {}
