/** Which permissions this adapter needs, and which of them are missing. */
@NullMarked
package dev.poolkeeper.k8s.permissions;

import org.jspecify.annotations.NullMarked;
