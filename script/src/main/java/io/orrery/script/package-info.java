/**
 * The JavaScript host: runs stored procedures, triggers and functions of users in contexts that can
 * do nothing but compute and ask for documents, on threads of their own, within bounds of time,
 * memory and output. May depend on: operation, value.
 */
@NullMarked
package io.orrery.script;

import org.jspecify.annotations.NullMarked;
