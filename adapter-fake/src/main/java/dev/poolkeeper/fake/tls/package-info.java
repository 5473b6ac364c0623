/** Certificates for test servers on loopback, signed by a certificate authority of their own. */
@NullMarked
package dev.poolkeeper.fake.tls;

import org.jspecify.annotations.NullMarked;
