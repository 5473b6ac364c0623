/**
 * Azure Resource Manager for load balancers and their backend pools, over HTTPS on loopback, on the memory of the cloud
 * in memory. What of it was seen on real Azure, what is documented and what is assumed:
 * {@code docs/reference/emulator-fidelity.md}.
 */
@NullMarked
package dev.poolkeeper.emulators.arm;

import org.jspecify.annotations.NullMarked;
