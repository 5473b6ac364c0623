/** The API server: objects with versions, faulty watches, Leases. */
@NullMarked
package dev.poolkeeper.simulation.cluster;

import org.jspecify.annotations.NullMarked;
