/** The daemon's own HTTP server: is it alive, is it ready, what does it measure, what is it doing. Reads only. */
@NullMarked
package dev.poolkeeper.app.admin;

import org.jspecify.annotations.NullMarked;
