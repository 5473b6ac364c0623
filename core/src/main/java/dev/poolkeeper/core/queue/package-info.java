/** The order in which the pools with operations that wait are tried. */
@NullMarked
package dev.poolkeeper.core.queue;

import org.jspecify.annotations.NullMarked;
