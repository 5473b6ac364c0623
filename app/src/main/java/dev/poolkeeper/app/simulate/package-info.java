/** The command {@code simulate}: its arguments, its report, and what it writes down of a failure. */
@NullMarked
package dev.poolkeeper.app.simulate;

import org.jspecify.annotations.NullMarked;
