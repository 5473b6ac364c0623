/** The lab's commands. */
@NullMarked
package dev.poolkeeper.lab.commands;

import org.jspecify.annotations.NullMarked;
