/**
 * Leader election and the resource lock, each on a Lease. Start with {@link dev.poolkeeper.k8s.lease.LeaderElection}
 * and {@link dev.poolkeeper.k8s.lease.LeaseResourceLock}.
 */
@NullMarked
package dev.poolkeeper.k8s.lease;

import org.jspecify.annotations.NullMarked;
