/** Binds ports to their implementations. The only package with annotations of Guice. */
@NullMarked
package dev.poolkeeper.app.wiring;

import org.jspecify.annotations.NullMarked;
