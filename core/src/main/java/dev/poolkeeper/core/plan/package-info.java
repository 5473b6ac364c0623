/** What is to be done to a pool: plans, the two models that make them, and what a failed attempt means. */
@NullMarked
package dev.poolkeeper.core.plan;

import org.jspecify.annotations.NullMarked;
