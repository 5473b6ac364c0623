/** The daemon's logging: to standard error, as text or as JSON. */
@NullMarked
package dev.poolkeeper.app.logging;

import org.jspecify.annotations.NullMarked;
