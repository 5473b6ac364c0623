package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Holds updates to a load balancer that answered 403, so that the quota is used for the others; retries with
 * exponential backoff. Thread-safe.
 */
public final class ForbiddenLoadBalancers implements Guard {

    private static final Logger log = LoggerFactory.getLogger(ForbiddenLoadBalancers.class);

    private record Refusal(boolean write, int times, Instant until, String answer) {}

    /**
     * A load balancer that answered 403.
     *
     * @param loadBalancer its name
     * @param until when it is tried again
     * @param answer what it answered
     */
    public record Forbidden(ArmName loadBalancer, Instant until, String answer) {}

    private final Backoff waits;
    private final HoldNotices notices;
    private final InstantSource clock;
    private final Map<ArmName, Refusal> refusals = new ConcurrentHashMap<>();

    /** @param waits how long nothing is sent after the first 403, after the second in a row, and so on */
    public ForbiddenLoadBalancers(Backoff waits, HoldNotices notices, InstantSource clock) {
        this.waits = waits;
        this.notices = notices;
        this.clock = clock;
    }

    @Override
    public Verdict judge(Plan plan) {
        ArmName loadBalancer = plan.pool().loadBalancer();
        Refusal refusal = refusals.get(loadBalancer);
        if (refusal == null || !refusal.until().isAfter(clock.instant())) {
            return Verdict.GO;
        }
        return new Verdict.Hold(new Held(
                Held.By.FORBIDDEN,
                Optional.of(refusal.until()),
                "Backend pool update held back: access to load balancer %s is denied (%s)."
                        .formatted(loadBalancer, refusal.answer()),
                "Grant Poolkeeper's identity permission to read and write its backend address pools."));
    }

    /** A successful read does not prove that writes are allowed. */
    @Override
    public void succeeded(PoolKey pool, boolean write) {
        Refusal refusal = refusals.get(pool.loadBalancer());
        if (refusal != null && (write || !refusal.write()) && refusals.remove(pool.loadBalancer(), refusal)) {
            log.atInfo().addKeyValue("loadBalancer", pool.loadBalancer()).log("Access to load balancer restored");
            notices.ended(Held.By.FORBIDDEN, key -> key.loadBalancer().equals(pool.loadBalancer()));
        }
    }

    @Override
    public void failed(PoolKey pool, boolean write, Failure failure) {
        if (failure instanceof Failure.HttpError error && error.status() == 403) {
            Refusal now = refusals.compute(pool.loadBalancer(), (name, before) -> {
                int times = before == null ? 0 : before.times() + 1;
                return new Refusal(write, times, clock.instant().plus(waits.before(times + 1)), failure.note());
            });
            log.atLevel(now.times() == 0 ? Level.WARN : Level.DEBUG)
                    .addKeyValue("loadBalancer", pool.loadBalancer())
                    .addKeyValue("failure", failure.describe())
                    .addKeyValue("until", now.until())
                    .log("Access to load balancer denied; retrying with exponential backoff");
        }
    }

    /** The load balancers to which nothing is currently sent, sorted. */
    public List<Forbidden> forbidden() {
        Instant now = clock.instant();
        return refusals.entrySet().stream()
                .filter(entry -> entry.getValue().until().isAfter(now))
                .map(entry -> new Forbidden(
                        entry.getKey(),
                        entry.getValue().until(),
                        entry.getValue().answer()))
                .sorted(Comparator.comparing(Forbidden::loadBalancer))
                .toList();
    }
}
