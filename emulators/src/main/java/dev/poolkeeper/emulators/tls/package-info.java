/** Certificates for test servers on loopback, signed by their own certificate authority. */
@NullMarked
package dev.poolkeeper.emulators.tls;

import org.jspecify.annotations.NullMarked;
