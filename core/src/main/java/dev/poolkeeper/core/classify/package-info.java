/** What a failed attempt means for the operations of its group: the classifier and its decision. */
@NullMarked
package dev.poolkeeper.core.classify;

import org.jspecify.annotations.NullMarked;
