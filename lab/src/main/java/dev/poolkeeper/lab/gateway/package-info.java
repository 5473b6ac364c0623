/** A small reverse proxy that applies HTTPRoutes, backend traffic policies and ServiceProfiles, for trying them. */
@NullMarked
package dev.poolkeeper.lab.gateway;

import org.jspecify.annotations.NullMarked;
