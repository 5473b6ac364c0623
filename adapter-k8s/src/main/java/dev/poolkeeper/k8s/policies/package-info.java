/**
 * Retry policies as objects of the cluster. Start with {@link dev.poolkeeper.k8s.policies.PolicyWatcher}, which reads
 * them, and {@link dev.poolkeeper.k8s.policies.PolicyStatusWriter}, which reports their standing on them.
 */
@NullMarked
package dev.poolkeeper.k8s.policies;

import org.jspecify.annotations.NullMarked;
