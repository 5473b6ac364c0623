/** Derives the wanted addresses of each local Service and IP family from Services, EndpointSlices and Nodes. */
@NullMarked
package dev.poolkeeper.core.cluster;

import org.jspecify.annotations.NullMarked;
