/**
 * Reads files that people write, and reports every fault with its file, its location, the value found and the allowed
 * values.
 */
@NullMarked
package dev.poolkeeper.input;

import org.jspecify.annotations.NullMarked;
