/**
 * The updater: an engine that is fed by a view of the cluster, and told when it leads and when to tick.
 *
 * <p>Start with {@link dev.poolkeeper.core.engine.Engine#builder}.
 */
@NullMarked
package dev.poolkeeper.core.engine;

import org.jspecify.annotations.NullMarked;
