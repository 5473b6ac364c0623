/**
 * The updater: an engine that follows a view of the cluster; the caller tells it when it becomes leader and when to
 * tick.
 *
 * <p>Start with {@link dev.poolkeeper.core.engine.Engine#builder}.
 */
@NullMarked
package dev.poolkeeper.core.engine;

import org.jspecify.annotations.NullMarked;
