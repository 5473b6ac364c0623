package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.core.pool.Refusal;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Holds updates of a pool for which ARM answered 403, so that the quota is used for the others; retries with
 * exponential backoff. The other pools of its load balancer are not held: a policy or a lock may deny a single one.
 * Thread-safe.
 */
public final class ForbiddenLoadBalancers implements Guard {

    private static final Logger log = LoggerFactory.getLogger(ForbiddenLoadBalancers.class);

    /**
     * A load balancer for which ARM answered 403.
     *
     * @param loadBalancer its name
     * @param until when one of the pools is tried again
     * @param answer what ARM answered about that pool
     */
    public record Forbidden(ArmName loadBalancer, Instant until, String answer) {}

    private final Backoff waits;
    private final Pools pools;
    private final InstantSource clock;

    /** @param waits how long nothing is sent after the first 403, after the second in a row, and so on */
    public ForbiddenLoadBalancers(Backoff waits, Pools pools, InstantSource clock) {
        this.waits = waits;
        this.pools = pools;
        this.clock = clock;
    }

    @Override
    public Verdict judge(Plan plan) {
        Refusal refusal = pools.get(plan.pool()).refusal().orElse(null);
        if (refusal == null || !refusal.until().isAfter(clock.instant())) {
            return Verdict.GO;
        }
        return new Verdict.Hold(new HoldCause.Forbidden(plan.pool(), refusal.answer(), refusal.until()));
    }

    /** A successful read does not prove that writes are allowed. */
    public void succeeded(PoolKey pool, boolean write) {
        Refusal refusal = pools.get(pool).refusal().orElse(null);
        if (refusal != null && (write || !refusal.write())) {
            pools.change(
                    pool, it -> it.withRefusal(null).withoutReported(report -> report.by() == HoldCause.By.FORBIDDEN));
            log.atInfo()
                    .addKeyValue("loadBalancer", pool.loadBalancer())
                    .addKeyValue("pool", pool.pool())
                    .log("Access to a pool restored");
        }
    }

    public void failed(PoolKey pool, boolean write, Failure failure) {
        if (failure instanceof Failure.HttpError error && error.status() == 403) {
            int times =
                    pools.get(pool).refusal().map(before -> before.times() + 1).orElse(0);
            Instant until = clock.instant().plus(waits.before(times + 1));
            Refusal now = new Refusal(write, times, until, failure);
            pools.change(pool, it -> it.withRefusal(now));
            log.atLevel(now.times() == 0 ? Level.WARN : Level.DEBUG)
                    .addKeyValue("loadBalancer", pool.loadBalancer())
                    .addKeyValue("pool", pool.pool())
                    .addKeyValue("failure", failure.describe())
                    .addKeyValue("until", now.until())
                    .log("Access to a pool denied; retrying with exponential backoff");
        }
    }

    /** The load balancers with pools that are held now, sorted. */
    public List<Forbidden> forbidden() {
        Instant now = clock.instant();
        SortedMap<ArmName, Forbidden> first = new TreeMap<>();
        pools.each(pool -> pool.refusal().orElse(null)).forEach((pool, refusal) -> {
            if (refusal.until().isAfter(now)) {
                Forbidden one = new Forbidden(
                        pool.loadBalancer(), refusal.until(), refusal.answer().note());
                first.merge(pool.loadBalancer(), one, (a, b) -> b.until().isBefore(a.until()) ? b : a);
            }
        });
        return List.copyOf(first.values());
    }
}
