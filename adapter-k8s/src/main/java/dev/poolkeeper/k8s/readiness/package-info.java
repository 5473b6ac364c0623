/** Writes the readiness gate's condition into the status of Pods. */
@NullMarked
package dev.poolkeeper.k8s.readiness;

import org.jspecify.annotations.NullMarked;
