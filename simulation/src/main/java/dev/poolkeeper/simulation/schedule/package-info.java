/** What is going to happen in a run: the changes of the cluster and the faults, from one seed. */
@NullMarked
package dev.poolkeeper.simulation.schedule;

import org.jspecify.annotations.NullMarked;
