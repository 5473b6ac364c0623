/** The wiring of a replay. */
@NullMarked
package dev.poolkeeper.lab.wiring;

import org.jspecify.annotations.NullMarked;
