/** The schedule of a run: changes of the cluster and faults, drawn from one seed. */
@NullMarked
package dev.poolkeeper.simulation.schedule;

import org.jspecify.annotations.NullMarked;
