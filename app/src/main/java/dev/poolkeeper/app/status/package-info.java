/** The status of the daemon, and its rendering as page, text and JSON. */
@NullMarked
package dev.poolkeeper.app.status;

import org.jspecify.annotations.NullMarked;
