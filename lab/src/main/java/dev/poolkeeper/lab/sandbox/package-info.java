/** An emulated environment for the daemon. */
@NullMarked
package dev.poolkeeper.lab.sandbox;

import org.jspecify.annotations.NullMarked;
