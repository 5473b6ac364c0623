/** What the daemon is doing, in the types of those who do it, and how that is shown: as a page and as JSON. */
@NullMarked
package dev.poolkeeper.app.status;

import org.jspecify.annotations.NullMarked;
