/**
 * In-memory fakes of all ports of the updater, for tests of your own controllers and for replay: a cloud with scripted
 * faults, a resource lock, recorders of events and metrics, and a clock that only moves when it is advanced.
 */
@NullMarked
package dev.poolkeeper.fake;

import org.jspecify.annotations.NullMarked;
