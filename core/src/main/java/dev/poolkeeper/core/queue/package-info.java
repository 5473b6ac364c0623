/** The queue of operations that wait for a tick. */
@NullMarked
package dev.poolkeeper.core.queue;

import org.jspecify.annotations.NullMarked;
