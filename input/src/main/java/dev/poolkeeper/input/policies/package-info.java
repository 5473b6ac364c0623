/** Reads retry policies from the configuration file and from manifests. */
@NullMarked
package dev.poolkeeper.input.policies;

import org.jspecify.annotations.NullMarked;
