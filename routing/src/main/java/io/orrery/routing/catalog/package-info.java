/**
 * The databases, containers with their scripts, offers, users and partition maps, kept in partition
 * 0. May depend on: operation, value, storage, partition.
 *
 * <h2>Layout of partition 0, format 1 (frozen)</h2>
 *
 * Keys are bytes, numbers in them big-endian; values are UTF-8 JSON except for the secret. A {@code
 * version} is {@code [lsn, position, commitTicks]} of the transaction that wrote the resource.
 *
 * <pre>
 * 00                         {"format":1}                     the same key in every format
 * 01 's'                     32 random bytes                  signs continuations and resource
 *                                                             tokens; after a rotation the 32 bytes
 *                                                             that signed before follow
 * 01 'n'                     {"database","container","offer","partition","intent","script","user",
 *                             "permission"}
 *                                                             next numbers; those from "script" on
 *                                                             are left out while they are 1
 * 01 'd' u32 database        {"id","version"}
 * 01 'c' u32 db u32 cont.    {"version","definition":{…},"splittable",
 *                             "map":{"version","next","ranges":[{"number","min","max","partition","parents":[…]}],
 *                             "gone":[{"number","min","max","lsn"}]}}
 * 01 'o' u32 offer           {"version","rid","self","manual"|"maximum"+"increment","highest"}
 * 01 'i' u64 intent          {"partitions":[…],"sources":[…]}
 * 01 'j' u32 db u32 cont. u32 script
 *                            {"version","kind":"sprocs"|"triggers"|"udfs","definition":{"id","body"
 *                             and, of a trigger, "triggerType","triggerOperation"}}
 * 01 'u' u32 db u32 user     {"id","version"}
 * 01 'p' u32 db u32 user u32 permission
 *                            {"version","definition":{"id","permissionMode","resource"
 *                             and, where given, "resourcePartitionKey"},"rid"}
 * </pre>
 */
@NullMarked
package io.orrery.routing.catalog;

import org.jspecify.annotations.NullMarked;
