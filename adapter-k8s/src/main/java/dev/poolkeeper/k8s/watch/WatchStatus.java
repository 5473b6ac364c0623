package dev.poolkeeper.k8s.watch;

import java.time.Instant;
import java.util.Optional;

/**
 * How the watch of one kind is doing.
 *
 * @param kind {@code Service}, {@code EndpointSlice}, {@code Node} or {@code Pod}; with {@code in NAMESPACE} where Pods
 *     are watched in some namespaces
 * @param synced whether everything was listed at least once, and reported
 * @param watching whether the API server has accepted a watch that is open now
 * @param objects how many objects are known
 * @param lastSign when the API server last said anything: a page of a list, an event or a bookmark
 * @param lists how many lists were completed
 * @param stalls how many watches were given up because they were silent
 * @param lastError what went wrong last, empty once a list or watch works again
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
