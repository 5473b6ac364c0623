/** Recorded clusters played through the whole updater on virtual time. */
@NullMarked
package dev.poolkeeper.app.replay;

import org.jspecify.annotations.NullMarked;
