/** The daemon: life cycle of its parts from start to stop. */
@NullMarked
package dev.poolkeeper.app.daemon;

import org.jspecify.annotations.NullMarked;
