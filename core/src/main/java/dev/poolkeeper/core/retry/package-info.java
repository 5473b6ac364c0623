/** Retry policies and retry budgets. */
@NullMarked
package dev.poolkeeper.core.retry;

import org.jspecify.annotations.NullMarked;
