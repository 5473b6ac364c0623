/** The simulated daemon: the shipped one on simulated connections, with observers and planted bugs. */
@NullMarked
package dev.poolkeeper.simulation.daemon;

import org.jspecify.annotations.NullMarked;
