/** Virtual time: one thread, one queue of events, and the clocks and threads of simulated machines. */
@NullMarked
package dev.poolkeeper.simulation.time;

import org.jspecify.annotations.NullMarked;
