/** What was last seen of the pools, and how the last call about each ended. */
@NullMarked
package dev.poolkeeper.core.known;

import org.jspecify.annotations.NullMarked;
