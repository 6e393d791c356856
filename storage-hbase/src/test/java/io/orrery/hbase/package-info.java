/** Bytes of the layout, and the contract on a running HBase. */
@NullMarked
package io.orrery.hbase;

import org.jspecify.annotations.NullMarked;
