/** From Services, EndpointSlices and Nodes to the wanted addresses of each local Service and IP family. */
@NullMarked
package dev.poolkeeper.core.endpoints;

import org.jspecify.annotations.NullMarked;
