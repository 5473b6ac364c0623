/**
 * In-memory stand-ins for everything that the updater speaks to, for tests of your own controllers and for replay: a
 * cloud with scripted faults, a resource lock, recorders of events and metrics, and a clock that moves only when it is
 * moved.
 */
@NullMarked
package dev.poolkeeper.fake;

import org.jspecify.annotations.NullMarked;
