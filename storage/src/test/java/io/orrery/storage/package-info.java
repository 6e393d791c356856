/** The contract suite that every engine extends, and what its rules have in common. */
@NullMarked
package io.orrery.storage;

import org.jspecify.annotations.NullMarked;
