/** Retry policies from the configuration file and from manifests, and watching them for changes. */
@NullMarked
package dev.poolkeeper.input.policies;

import org.jspecify.annotations.NullMarked;
