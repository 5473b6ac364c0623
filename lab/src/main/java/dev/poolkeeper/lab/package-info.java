/** Everything that is not the daemon: replays, simulations, the emulators on their own, and the daemon in a sandbox. */
@NullMarked
package dev.poolkeeper.lab;

import org.jspecify.annotations.NullMarked;
