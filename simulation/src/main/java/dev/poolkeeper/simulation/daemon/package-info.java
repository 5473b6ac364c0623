/** The daemon as it is simulated: the real engine, election and resource lock on simulated wires. */
@NullMarked
package dev.poolkeeper.simulation.daemon;

import org.jspecify.annotations.NullMarked;
