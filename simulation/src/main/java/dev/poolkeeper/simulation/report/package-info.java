/** What is written down of a run: a recording, an inventory and faults that {@code poolkeeper replay} reads. */
@NullMarked
package dev.poolkeeper.simulation.report;

import org.jspecify.annotations.NullMarked;
