/** Writes Events about Services. Start with {@link dev.poolkeeper.k8s.events.KubernetesServiceEvents}. */
@NullMarked
package dev.poolkeeper.k8s.events;

import org.jspecify.annotations.NullMarked;
