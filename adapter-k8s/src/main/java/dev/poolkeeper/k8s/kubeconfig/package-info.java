/**
 * Finds the API server and the credential as Kubernetes clients do: in kubeconfig files or in the pod. Start with
 * {@link ApiServers}.
 *
 * <p>Fabric8's reading is not used: keys that it does not know pass in silence, an unknown context means another
 * server, and the environment may change whom it trusts.
 */
@NullMarked
package dev.poolkeeper.k8s.kubeconfig;

import org.jspecify.annotations.NullMarked;
