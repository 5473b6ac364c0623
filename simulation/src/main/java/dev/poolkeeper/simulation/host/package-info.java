/** Machines, and the shipped daemon as a process on them. */
@NullMarked
package dev.poolkeeper.simulation.host;

import org.jspecify.annotations.NullMarked;
