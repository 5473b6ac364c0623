package dev.poolkeeper.azure.pool;

/** An element of ARM's list of load balancers. */
sealed interface ListedElement permits ListedLoadBalancer, Unreadable {}
