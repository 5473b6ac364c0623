/** What must always hold, as named objects that look at every event and tell a story when it does not. */
@NullMarked
package dev.poolkeeper.simulation.invariant;

import org.jspecify.annotations.NullMarked;
