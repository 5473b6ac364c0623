/**
 * Contract tests for implementations of the ports, the annotation that links a test to its rule, and a proxy that both
 * adapters are tried with.
 */
@NullMarked
package dev.poolkeeper.contract;

import org.jspecify.annotations.NullMarked;
