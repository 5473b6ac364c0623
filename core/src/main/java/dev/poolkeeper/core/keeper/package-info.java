/** The whole updater as an engine: it finds the pools, adopts them, keeps them in step, and heals what drifted. */
@NullMarked
package dev.poolkeeper.core.keeper;

import org.jspecify.annotations.NullMarked;
