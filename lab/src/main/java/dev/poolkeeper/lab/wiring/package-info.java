/** What a replay is put together from. */
@NullMarked
package dev.poolkeeper.lab.wiring;

import org.jspecify.annotations.NullMarked;
