/** The daemon's own HTTP server: liveness, readiness, metrics and status. Read-only. */
@NullMarked
package dev.poolkeeper.app.admin;

import org.jspecify.annotations.NullMarked;
