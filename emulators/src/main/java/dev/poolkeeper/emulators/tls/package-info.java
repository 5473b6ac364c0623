/** Certificates for test servers on loopback, signed by a certificate authority of their own. */
@NullMarked
package dev.poolkeeper.emulators.tls;

import org.jspecify.annotations.NullMarked;
