/** Everything besides the daemon: replays, simulations, standalone emulators, and the daemon in a sandbox. */
@NullMarked
package dev.poolkeeper.lab;

import org.jspecify.annotations.NullMarked;
