/** The daemon's surroundings, emulated. */
@NullMarked
package dev.poolkeeper.lab.sandbox;

import org.jspecify.annotations.NullMarked;
