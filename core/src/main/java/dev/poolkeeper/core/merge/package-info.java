/** Folding the operations of one pool over what the pool holds. */
@NullMarked
package dev.poolkeeper.core.merge;

import org.jspecify.annotations.NullMarked;
