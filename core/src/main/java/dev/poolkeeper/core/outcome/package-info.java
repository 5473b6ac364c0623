/** What a failure means to the updater: stale, retriable or terminal, and what becomes of each operation then. */
@NullMarked
package dev.poolkeeper.core.outcome;

import org.jspecify.annotations.NullMarked;
