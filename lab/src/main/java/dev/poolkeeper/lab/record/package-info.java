/** Recordings and inventories of live clusters, with nothing in them but what the updater reads. */
@NullMarked
package dev.poolkeeper.lab.record;

import org.jspecify.annotations.NullMarked;
