/** What the daemon is doing, as a plain tree, and how it is shown: as a page and as JSON. */
@NullMarked
package dev.poolkeeper.app.admin.status;

import org.jspecify.annotations.NullMarked;
