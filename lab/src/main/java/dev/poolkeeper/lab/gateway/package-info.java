/** A small reverse proxy that obeys HTTPRoutes, backend traffic policies and ServiceProfiles, for trying them out. */
@NullMarked
package dev.poolkeeper.lab.gateway;

import org.jspecify.annotations.NullMarked;
