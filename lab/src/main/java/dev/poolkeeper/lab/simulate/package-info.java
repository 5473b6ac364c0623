/** The command {@code simulate}: its arguments, its report, and its files about failures. */
@NullMarked
package dev.poolkeeper.lab.simulate;

import org.jspecify.annotations.NullMarked;
