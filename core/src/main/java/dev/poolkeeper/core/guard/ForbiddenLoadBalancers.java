package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.known.ObservedPools;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.tick.UpdateGuard;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves a load balancer alone that answered 403, so that the quota goes to the others; asks again after waits that
 * double. Its Services are told. Thread-safe.
 */
public final class ForbiddenLoadBalancers implements UpdateGuard, ObservedPools.Observer {

    private static final Logger log = LoggerFactory.getLogger(ForbiddenLoadBalancers.class);

    private record Refusal(boolean write, int times, Instant until, String text) {}

    /**
     * A load balancer that is left alone.
     *
     * @param loadBalancer its name
     * @param until when it is asked again
     * @param reason what it answered
     */
    public record LeftAlone(ArmName loadBalancer, Instant until, String reason) {}

    private final Backoff waits;
    private final HoldNotices notices;
    private final InstantSource clock;
    private final Map<ArmName, Refusal> refusals = new ConcurrentHashMap<>();

    public ForbiddenLoadBalancers(Backoff waits, HoldNotices notices, InstantSource clock) {
        this.waits = waits;
        this.notices = notices;
        this.clock = clock;
    }

    @Override
    public boolean admits(OperationGroup group) {
        Refusal refusal = refusals.get(group.pool().loadBalancer());
        if (refusal == null || !refusal.until().isAfter(clock.instant())) {
            return true;
        }
        notices.tell(
                group,
                Hold.FORBIDDEN,
                ("Backend pool update held back: load balancer %s refuses it (%s). It is asked again not before %s."
                                + " Give Poolkeeper's identity the right to read and write its backend address pools.")
                        .formatted(group.pool().loadBalancer(), refusal.text(), refusal.until()));
        return false;
    }

    /** A read that ends well says nothing of writes. */
    @Override
    public void answered(PoolKey pool, boolean write) {
        Refusal refusal = refusals.get(pool.loadBalancer());
        if (refusal != null && (write || !refusal.write()) && refusals.remove(pool.loadBalancer(), refusal)) {
            log.atInfo().addKeyValue("loadBalancer", pool.loadBalancer()).log("The load balancer lets us in again");
            notices.ended(Hold.FORBIDDEN, key -> key.loadBalancer().equals(pool.loadBalancer()));
        }
    }

    @Override
    public void failed(PoolKey pool, boolean write, Failure failure) {
        if (failure instanceof Failure.HttpError error && error.status() == 403) {
            Refusal now = refusals.compute(pool.loadBalancer(), (name, before) -> {
                int times = before == null ? 0 : before.times() + 1;
                return new Refusal(write, times, clock.instant().plus(waits.before(times + 1)), failure.describe());
            });
            log.atWarn()
                    .addKeyValue("loadBalancer", pool.loadBalancer())
                    .addKeyValue("until", now.until())
                    .log("The load balancer refuses us and is left alone: {}", now.text());
        }
    }

    /** The load balancers that are left alone now, in order. */
    public List<LeftAlone> leftAlone() {
        Instant now = clock.instant();
        return refusals.entrySet().stream()
                .filter(entry -> entry.getValue().until().isAfter(now))
                .map(entry -> new LeftAlone(
                        entry.getKey(),
                        entry.getValue().until(),
                        entry.getValue().text()))
                .sorted(Comparator.comparing(LeftAlone::loadBalancer))
                .toList();
    }
}
