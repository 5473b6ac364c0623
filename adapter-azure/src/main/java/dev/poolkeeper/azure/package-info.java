/** Reads and writes backend pools through Azure Resource Manager. */
@NullMarked
package dev.poolkeeper.azure;

import org.jspecify.annotations.NullMarked;
