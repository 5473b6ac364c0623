/** How often and how much may be retried. */
@NullMarked
package dev.poolkeeper.core.retry;

import org.jspecify.annotations.NullMarked;
