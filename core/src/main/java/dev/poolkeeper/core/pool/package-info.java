/** The last seen contents of the pools and the outcome of the last call to each. */
@NullMarked
package dev.poolkeeper.core.known;

import org.jspecify.annotations.NullMarked;
