/** Which implementation stands behind which port. The only package with annotations of the injector. */
@NullMarked
package dev.poolkeeper.app.wiring;

import org.jspecify.annotations.NullMarked;
