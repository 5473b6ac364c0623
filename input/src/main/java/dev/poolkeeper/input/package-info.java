/** Reading files that people write: every fault with its file, its place, what was found and what is allowed. */
@NullMarked
package dev.poolkeeper.input;

import org.jspecify.annotations.NullMarked;
