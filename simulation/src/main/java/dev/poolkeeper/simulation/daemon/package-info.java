/** The simulated daemon: the real engine, election and resource lock on simulated connections. */
@NullMarked
package dev.poolkeeper.simulation.daemon;

import org.jspecify.annotations.NullMarked;
