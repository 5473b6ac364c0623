/** From Services, EndpointSlices and Nodes to the wanted addresses of each local Service and IP family. */
@NullMarked
package dev.poolkeeper.core.cluster;

import org.jspecify.annotations.NullMarked;
