/** What happens to pools, as values, and what is told of it: log lines, Events of Kubernetes, counts. */
@NullMarked
package dev.poolkeeper.core.facts;

import org.jspecify.annotations.NullMarked;
