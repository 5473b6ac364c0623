/** What every implementation of a port must pass, and how a test says which rule it holds. */
@NullMarked
package dev.poolkeeper.contract;

import org.jspecify.annotations.NullMarked;
