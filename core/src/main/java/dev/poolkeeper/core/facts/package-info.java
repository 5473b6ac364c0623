/** What happens to pools, as values, and what is made of them: log lines, Events of Kubernetes, counts. */
@NullMarked
package dev.poolkeeper.core.facts;

import org.jspecify.annotations.NullMarked;
