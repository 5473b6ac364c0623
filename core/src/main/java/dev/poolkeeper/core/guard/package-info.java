/**
 * Guards that hold updates back: the safety brake, paused Services, load balancers that deny access, and pools that
 * another writer keeps changing back.
 */
@NullMarked
package dev.poolkeeper.core.guard;

import org.jspecify.annotations.NullMarked;
