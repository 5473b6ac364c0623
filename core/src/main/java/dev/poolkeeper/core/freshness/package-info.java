/** Measures how long the load balancers differ from what the cluster wants. */
@NullMarked
package dev.poolkeeper.core.freshness;

import org.jspecify.annotations.NullMarked;
