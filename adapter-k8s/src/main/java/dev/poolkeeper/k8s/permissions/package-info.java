/** The permissions that this adapter needs, and a check for missing ones. */
@NullMarked
package dev.poolkeeper.k8s.permissions;

import org.jspecify.annotations.NullMarked;
