/** The commands of the command line. */
@NullMarked
package dev.poolkeeper.app.commands;

import org.jspecify.annotations.NullMarked;
