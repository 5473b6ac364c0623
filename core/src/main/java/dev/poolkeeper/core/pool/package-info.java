/** What an engine knows of its pools: what their Services want, what they hold, and how the last call to each ended. */
@NullMarked
package dev.poolkeeper.core.pool;

import org.jspecify.annotations.NullMarked;
