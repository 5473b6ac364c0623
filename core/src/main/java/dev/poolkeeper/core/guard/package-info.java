/**
 * What holds updates back on purpose: the safety brake, a paused Service, a load balancer that refuses us, a pool that
 * another writer keeps changing back.
 */
@NullMarked
package dev.poolkeeper.core.guard;

import org.jspecify.annotations.NullMarked;
