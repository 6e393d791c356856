/**
 * Checks the database against a model of it: maps instead of storage, index and partitions. A
 * generator makes requests of every kind meet, a driver carries them to the real thing, and each
 * answer is compared with what the model says at the LSN that the answer names. May depend on:
 * operation, value, storage, memory, rocksdb, query, partition, script, routing.
 */
@NullMarked
package io.orrery.model;

import org.jspecify.annotations.NullMarked;
