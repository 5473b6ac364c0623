/**
 * What shall be done to a pool: operations, their retry state, and the two models that make operations from changes.
 */
@NullMarked
package dev.poolkeeper.core.operation;

import org.jspecify.annotations.NullMarked;
