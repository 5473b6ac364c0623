/** Plays recorded clusters through the whole updater on virtual time. */
@NullMarked
package dev.poolkeeper.lab.replay;

import org.jspecify.annotations.NullMarked;
