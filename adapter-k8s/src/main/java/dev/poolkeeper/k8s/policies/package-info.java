/**
 * Retry policies that are objects of the cluster: {@link dev.poolkeeper.k8s.policies.PolicyWatcher} reads them and
 * {@link dev.poolkeeper.k8s.policies.PolicyStatusWriter} says on them how they fare. Start with these two.
 */
@NullMarked
package dev.poolkeeper.k8s.policies;

import org.jspecify.annotations.NullMarked;
