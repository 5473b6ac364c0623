/** Azure Resource Manager: load balancers with pools and ETags, long-running operations, and faults. */
@NullMarked
package dev.poolkeeper.simulation.arm;

import org.jspecify.annotations.NullMarked;
