/** The readiness gate's condition in the status of Pods. */
@NullMarked
package dev.poolkeeper.k8s.readiness;

import org.jspecify.annotations.NullMarked;
