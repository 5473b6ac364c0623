/**
 * Azure Resource Manager for load balancers and their backend pools, over HTTPS on loopback, backed by the in-memory
 * cloud. {@code docs/reference/emulator-fidelity.md} lists which behaviour was observed on real Azure, which is
 * documented and which is assumed.
 */
@NullMarked
package dev.poolkeeper.emulators.arm;

import org.jspecify.annotations.NullMarked;
