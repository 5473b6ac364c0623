/** The configuration file: keys, defaults, bounds, and every fault at once. */
@NullMarked
package dev.poolkeeper.app.config;

import org.jspecify.annotations.NullMarked;
