/** The invariants: named objects that check every event and describe a violation. */
@NullMarked
package dev.poolkeeper.simulation.invariant;

import org.jspecify.annotations.NullMarked;
