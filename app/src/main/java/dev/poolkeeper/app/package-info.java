/** The program: from arguments and configuration to a wired command. */
@NullMarked
package dev.poolkeeper.app;

import org.jspecify.annotations.NullMarked;
