/** API server clients configured for this adapter. */
@NullMarked
package dev.poolkeeper.k8s.client;

import org.jspecify.annotations.NullMarked;
