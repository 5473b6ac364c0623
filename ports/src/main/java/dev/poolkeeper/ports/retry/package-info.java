/**
 * Retry policies and budgets as validated values, in the words of the Gateway API (<a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-1731/">GEP-1731</a>, <a
 * href="https://gateway-api.sigs.k8s.io/geps/gep-3388/">GEP-3388</a>), of Linkerd and of Envoy. A value that breaks a
 * rule cannot be made.
 */
@NullMarked
package dev.poolkeeper.ports.retry;

import org.jspecify.annotations.NullMarked;
