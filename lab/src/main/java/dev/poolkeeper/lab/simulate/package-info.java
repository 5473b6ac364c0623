/** The command {@code simulate}: its arguments, its report, and what it writes down of a failure. */
@NullMarked
package dev.poolkeeper.lab.simulate;

import org.jspecify.annotations.NullMarked;
