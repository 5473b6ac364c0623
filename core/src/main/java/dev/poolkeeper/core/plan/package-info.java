/** Plans for pools, the two models that build them, and the handling of failed attempts. */
@NullMarked
package dev.poolkeeper.core.plan;

import org.jspecify.annotations.NullMarked;
