/** The configuration file: keys, defaults and bounds; reports all faults at once. */
@NullMarked
package dev.poolkeeper.app.config;

import org.jspecify.annotations.NullMarked;
