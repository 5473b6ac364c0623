/** The program: arguments to configuration to injector to command. */
@NullMarked
package dev.poolkeeper.app;

import org.jspecify.annotations.NullMarked;
