/**
 * The readiness gate: a Pod does not become Ready until its node is in the backend pools of its local Services, so that
 * a rollout never outpaces the load balancers. Start with {@link dev.poolkeeper.core.readiness.ReadinessGate}.
 */
@NullMarked
package dev.poolkeeper.core.readiness;

import org.jspecify.annotations.NullMarked;
