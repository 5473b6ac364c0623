/** Recordings and inventories of live clusters, reduced to the fields that the updater uses. */
@NullMarked
package dev.poolkeeper.lab.record;

import org.jspecify.annotations.NullMarked;
