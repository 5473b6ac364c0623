package dev.poolkeeper.k8s.watch;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of the watch of one kind.
 *
 * @param kind {@code Service}, {@code EndpointSlice}, {@code Node} or {@code Pod}; with {@code in NAMESPACE} if Pods
 *     are watched in some namespaces only
 * @param synced whether everything was listed and reported at least once
 * @param watching whether the API server has accepted a watch that is open now
 * @param objects the number of known objects
 * @param lastSign the last sign of life from the API server: a page of a list, an event or a bookmark
 * @param lists the number of completed lists
 * @param stalls the number of watches closed because they were silent
 * @param lastError the last failure, empty once a list or watch succeeds again
 */
public record WatchStatus(
        String kind,
        boolean synced,
        boolean watching,
        int objects,
        Optional<Instant> lastSign,
        long lists,
        long stalls,
        Optional<String> lastError) {}
