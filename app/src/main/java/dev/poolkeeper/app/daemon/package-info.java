/** The daemon: its parts' life from start to stop, and its sandbox. */
@NullMarked
package dev.poolkeeper.app.daemon;

import org.jspecify.annotations.NullMarked;
