/**
 * Retry policies and budgets as validated values, using the terms of the Gateway API (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-1731/">GEP-1731</a>, <a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-3388/">GEP-3388</a>), Linkerd and Envoy. A value that breaks a rule
 * cannot be created.
 */
@NullMarked
package dev.poolkeeper.ports.retry;

import org.jspecify.annotations.NullMarked;
