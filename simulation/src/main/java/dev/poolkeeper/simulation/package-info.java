/**
 * The whole system in one thread on virtual time, generated from one seed: the shipped daemon, a faulty API server and
 * a faulty ARM, and invariants that check every event.
 */
@NullMarked
package dev.poolkeeper.simulation;

import org.jspecify.annotations.NullMarked;
