/**
 * The readiness gate: a Pod is not Ready before its node is in the backend pools of its local Services, so that a
 * rollout goes no faster than the load balancers follow. Begin with
 * {@link dev.poolkeeper.core.readiness.ReadinessGate}.
 */
@NullMarked
package dev.poolkeeper.core.readiness;

import org.jspecify.annotations.NullMarked;
