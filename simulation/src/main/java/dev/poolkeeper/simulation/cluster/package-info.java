/** An API server: objects with versions, watches that misbehave, Leases. */
@NullMarked
package dev.poolkeeper.simulation.cluster;

import org.jspecify.annotations.NullMarked;
