/** Follows Services, slices and nodes through the Kubernetes API, and keeps events and leases there. */
@NullMarked
package dev.poolkeeper.k8s;

import org.jspecify.annotations.NullMarked;
