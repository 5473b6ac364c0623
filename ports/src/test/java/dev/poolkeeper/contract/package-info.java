/** Contract tests for implementations of the ports, and the annotation that links a test to its rule. */
@NullMarked
package dev.poolkeeper.contract;

import org.jspecify.annotations.NullMarked;
