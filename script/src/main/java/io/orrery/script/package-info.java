/**
 * Runs JavaScript of users: stored procedures, triggers and functions, in processes of their own,
 * one script at a time in each. Here is the server's side: who has which process, what a script may
 * ask for, and what becomes of it when its process ends. May depend on: operation, value.
 */
@NullMarked
package io.orrery.script;

import org.jspecify.annotations.NullMarked;
