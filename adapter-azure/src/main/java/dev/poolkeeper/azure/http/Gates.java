package dev.poolkeeper.azure.http;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.retry.RetryAfter;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The throttling gates of one subscription: one for reads, one for writes, and one for writes to each load balancer
 * with another operation in progress. Thread-safe; never blocks.
 */
final class Gates {

    private static final Logger log = LoggerFactory.getLogger(Gates.class);

    private final InstantSource clock;
    private final ThrottlingGate reads;
    private final ThrottlingGate writes;
    private final Map<ArmName, ThrottlingGate> busy = new ConcurrentHashMap<>();

    /** The kinds of requests that were logged as throttled. */
    private final Set<String> throttled = ConcurrentHashMap.newKeySet();

    Gates(InstantSource clock, @Nullable RateLimit readLimit, @Nullable RateLimit writeLimit) {
        this.clock = clock;
        this.reads = new ThrottlingGate(clock, readLimit);
        this.writes = new ThrottlingGate(clock, writeLimit);
    }

    /** Until when a request of this kind would be refused. Takes no token. */
    Optional<Instant> shutUntil(ArmRequest request) {
        return request.isWrite() ? writesShutUntil(request.loadBalancer()) : reads.shutUntil();
    }

    /** Until when a write to this load balancer would be refused. Takes no token. */
    Optional<Instant> writesShutUntil(@Nullable ArmName loadBalancer) {
        return writes.shutUntil().or(() -> busy(loadBalancer).flatMap(ThrottlingGate::shutUntil));
    }

    /**
     * Until when ARM has asked to send no update, which needs a read and a write; our own limits play no part.
     *
     * @param loadBalancer the load balancer of the update; null for any
     */
    Optional<Instant> updatesShutUntil(@Nullable ArmName loadBalancer) {
        return Stream.of(Optional.of(writes), busy(loadBalancer), Optional.of(reads))
                .flatMap(Optional::stream)
                .flatMap(gate -> gate.askedToWaitUntil().stream())
                .max(Comparator.naturalOrder());
    }

    /** Lets the request pass, or returns the time until which it is refused. */
    Optional<Instant> tryPass(ArmRequest request) {
        Optional<Instant> shutUntil = !request.isWrite()
                ? reads.tryPass(request.waitedUntil())
                : busy(request.loadBalancer())
                        .flatMap(gate -> gate.tryPass(request.waitedUntil()))
                        .or(() -> writes.tryPass(request.waitedUntil()));
        if (shutUntil.isEmpty() && throttled.remove(kind(request))) {
            log.atInfo()
                    .addKeyValue("requests", kind(request))
                    .log("Throttling by Azure ended; sending requests again");
        }
        return shutUntil;
    }

    /** The gates that are currently closed. Takes no token. */
    GateStatus status() {
        Map<ArmName, Instant> busyUntil = new HashMap<>();
        busy.forEach((loadBalancer, gate) -> gate.shutUntil().ifPresent(until -> busyUntil.put(loadBalancer, until)));
        return new GateStatus(reads.shutUntil().orElse(null), writes.shutUntil().orElse(null), busyUntil);
    }

    /** Records a 429. Returns the earliest time of the next attempt; null if unknown. */
    @Nullable
    Instant throttled(ArmRequest request, ArmAnswer answer) {
        RetryAfter retryAfter = RetryAfter.parse(answer.header("Retry-After"), clock.instant());
        if (answer.error().isAboutAnotherOperation()) {
            ArmName loadBalancer = request.loadBalancer();
            // a busy load balancer closes no other gate; reads of it are still allowed
            return loadBalancer == null || !request.isWrite()
                    ? new ThrottlingGate(clock, null).shut(retryAfter)
                    : busy.computeIfAbsent(loadBalancer, name -> new ThrottlingGate(clock, null))
                            .shut(retryAfter);
        }
        Instant until = (request.isWrite() ? writes : reads).shut(retryAfter);
        if (until != null && until.isAfter(clock.instant()) && throttled.add(kind(request))) {
            log.atWarn()
                    .addKeyValue("requests", kind(request))
                    .addKeyValue("until", until)
                    .log("Azure throttles requests; sending none until the wait ends");
        }
        return until;
    }

    private static String kind(ArmRequest request) {
        return request.isWrite() ? "writes" : "reads";
    }

    private Optional<ThrottlingGate> busy(@Nullable ArmName loadBalancer) {
        return loadBalancer == null ? Optional.empty() : Optional.ofNullable(busy.get(loadBalancer));
    }
}
