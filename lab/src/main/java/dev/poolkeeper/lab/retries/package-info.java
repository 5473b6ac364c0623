/**
 * Simulates the effect of retry policies on load and success: a workload against a backend that fails, slows down,
 * throttles or is overloaded, as discrete events on virtual time, using the production classes for policy and budget.
 * The same seed gives the same run.
 */
@NullMarked
package dev.poolkeeper.lab.retries;

import org.jspecify.annotations.NullMarked;
