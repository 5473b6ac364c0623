/**
 * What retry policies do to load and success: a workload against a backend that fails, slows down, throttles or drowns,
 * as discrete events on virtual time, on the policy and budget classes of production. A seed repeats a run exactly.
 */
@NullMarked
package dev.poolkeeper.lab.retries;

import org.jspecify.annotations.NullMarked;
