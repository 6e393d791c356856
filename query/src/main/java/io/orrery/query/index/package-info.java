/**
 * What an indexing policy makes of an item, as bytes that sort like the values, and which stretches
 * of those bytes can hold the items a query asks for. Nothing is read or written here.
 *
 * <p>A term is {@code hash(8) value}: the hash names a path, or a composite index with the
 * directions of its paths, and the value is written so that no encoding is the beginning of another
 * and that bytes sort as {@link io.orrery.query.function.ValueOrder} does:
 *
 * <pre>
 * 10                     undefined (in composite terms only)
 * 20                     null
 * 30, 40                 false, true
 * 50 double(8)           a number; integers beyond 2^53 share a term with their neighbours
 * 60 text 00 00          a string: UTF-8 with 00 as 00 FF and every surrogate as F0 and two bytes
 * 60 text(1000) 00 01    a string cut after 1,000 bytes
 * 70 00, 80 00           an array or an object, whatever is in it
 * </pre>
 *
 * A composite term has one value per path, with all bits inverted where the path is descending; it
 * ends early with a value that shares its encoding with others (the cut, the rounded, arrays and
 * objects), so that terms never order items wrongly that their values order. The elements of an
 * array have the path of the array and the segment {@code []}. May depend on: operation, value.
 */
@NullMarked
package io.orrery.query.index;

import org.jspecify.annotations.NullMarked;
