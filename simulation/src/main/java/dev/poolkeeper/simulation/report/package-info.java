/** Replayable files of a run: a recording, an inventory and faults for {@code poolkeeper replay}. */
@NullMarked
package dev.poolkeeper.simulation.report;

import org.jspecify.annotations.NullMarked;
