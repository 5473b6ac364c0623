/**
 * The connections between processes and servers: HTTP as values on virtual time, and the clients of the Azure SDK and
 * of Fabric8 on top of it. Network faults are applied here.
 */
@NullMarked
package dev.poolkeeper.simulation.wire;

import org.jspecify.annotations.NullMarked;
