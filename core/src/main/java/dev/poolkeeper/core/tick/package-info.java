/** The tick: from the queue through ARM to outcomes, events and metrics. */
@NullMarked
package dev.poolkeeper.core.tick;

import org.jspecify.annotations.NullMarked;
