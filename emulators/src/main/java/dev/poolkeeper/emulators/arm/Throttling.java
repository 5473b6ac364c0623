package dev.poolkeeper.emulators.arm;

import java.time.Duration;

/**
 * The throttling limits.
 *
 * @param reads of a subscription: GET
 * @param writes of a subscription: PUT
 * @param deletes of a subscription: DELETE
 * @param networkReads of the network provider: GET
 * @param networkWrites of the network provider: PUT and DELETE together
 */
public record Throttling(Bucket reads, Bucket writes, Bucket deletes, Window networkReads, Window networkWrites) {

    /**
     * The sizes that Microsoft documents in <a
     * href="https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling">Understand
     * how Azure Resource Manager throttles requests</a>.
     */
    public static final Throttling DOCUMENTED = new Throttling(
            new Bucket(250, 25),
            new Bucket(200, 10),
            new Bucket(200, 10),
            new Window(10_000, Duration.ofMinutes(5)),
            new Window(1_000, Duration.ofMinutes(5)));

    /**
     * A token bucket, initially full.
     *
     * @param capacity the maximum number of tokens, at least 1
     * @param perSecond the number of tokens added per second, more than 0
     */
    public record Bucket(int capacity, double perSecond) {

        /** @throws IllegalArgumentException if a number is out of range */
        public Bucket {
            if (capacity < 1 || !(perSecond > 0)) {
                throw new IllegalArgumentException(
                        "a bucket needs capacity >= 1 and perSecond > 0, got %s and %s".formatted(capacity, perSecond));
            }
        }
    }

    /**
     * A number of requests in each window of time; the first request starts a window.
     *
     * @param requests the maximum number of requests, at least 1
     * @param length the length of a window, positive
     */
    public record Window(int requests, Duration length) {

        /** @throws IllegalArgumentException if a number is out of range */
        public Window {
            if (requests < 1 || !length.isPositive()) {
                throw new IllegalArgumentException("a window needs requests >= 1 and a positive length, got %s and %s"
                        .formatted(requests, length));
            }
        }
    }

    public Throttling withReads(Bucket newReads) {
        return new Throttling(newReads, writes, deletes, networkReads, networkWrites);
    }

    public Throttling withWrites(Bucket newWrites) {
        return new Throttling(reads, newWrites, deletes, networkReads, networkWrites);
    }

    public Throttling withNetworkWrites(Window newNetworkWrites) {
        return new Throttling(reads, writes, deletes, networkReads, newNetworkWrites);
    }
}
