/**
 * The whole system in one thread on virtual time, from one seed: one or two daemons with the real engine, leader
 * election and resource lock, an API server and an ARM that misbehave, and invariants that look at every event.
 */
@NullMarked
package dev.poolkeeper.simulation;

import org.jspecify.annotations.NullMarked;
