package dev.poolkeeper.emulators.arm;

import org.jspecify.annotations.Nullable;

/**
 * The resource of a request, in the cloud's spelling if it exists.
 *
 * @param loadBalancer the load balancer, null for none or many
 * @param pool the pool, null for none or many
 * @param operation the id of the long-running operation, null for none
 */
record Subject(
        @Nullable String loadBalancer,
        @Nullable String pool,
        @Nullable String operation) {

    static final Subject NONE = new Subject(null, null, null);

    /** Adds an operation, and its resource if none is known. */
    Subject of(@Nullable RememberedOperation operation) {
        if (operation == null) {
            return this;
        }
        return loadBalancer != null
                ? new Subject(loadBalancer, pool, operation.id)
                : new Subject(
                        operation.loadBalancer.toString(),
                        operation.pool == null ? null : operation.pool.toString(),
                        operation.id);
    }
}
