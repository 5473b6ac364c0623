/** The merge rule: which operations an event queues, and what becomes of a pool with them. */
@NullMarked
package dev.poolkeeper.core.merge;

import org.jspecify.annotations.NullMarked;
