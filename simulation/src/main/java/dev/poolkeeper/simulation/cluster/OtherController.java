package dev.poolkeeper.simulation.cluster;

import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.time.Chance;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Another controller of the same load balancers, such as the Go provider. It has its own pools, which it writes while
 * it holds the resource lock. It tries to acquire the lock, again after 5 s, and then with doubled waits of up to 5
 * min. It considers a Lease with a holder free once it has observed no change for the Lease's duration. It never renews
 * a hold, and relies on the duration that it gave the Lease when it created it: some holds take longer than a minute.
 */
public final class OtherController {

    /** Its holder identity. */
    public static final String NAME = "cloud-controller-manager";

    private static final String POOL = "another-controllers";
    private static final int LEASE_SECONDS = 900;
    private static final long FIRST_WAIT = 5 * Timeline.SECONDS;
    private static final long LONGEST_WAIT = 300 * Timeline.SECONDS;

    private final Timeline timeline;
    private final ResourceManager arm;
    private final LeaseObject lock;
    private final List<PoolKey> pools = new ArrayList<>();
    private long waitsSince = -1;
    private boolean holds;
    private Timeline.@Nullable Event nextTry;
    private Timeline.@Nullable Event end;
    private String seen = "";
    private long seenSince;

    public OtherController(Timeline timeline, ResourceManager arm, LeaseObject lock) {
        this.timeline = timeline;
        this.arm = arm;
        this.lock = lock;
    }

    /** Gives it a pool on this load balancer. */
    public void addPool(ArmName loadBalancer) {
        PoolKey pool = new PoolKey(loadBalancer, ArmName.of(POOL));
        arm.createPool(pool, Map.of(IpAddress.of("10.8.0.1"), "other"));
        pools.add(pool);
    }

    public boolean owns(PoolKey pool) {
        return pools.contains(pool);
    }

    /** Whether it holds the resource lock. */
    public boolean holdsLock() {
        return holds;
    }

    /** Since when it has been waiting for the resource lock; -1 if it is not waiting. */
    public long waitsSince() {
        return waitsSince;
    }

    /** Changes the desired content of one of its pools. No effect while another change is in progress. */
    public void reconcile(Chance chance) {
        if (waitsSince < 0 && !holds) {
            waitsSince = timeline.now();
            ask(FIRST_WAIT, chance, chance.forked(1).happens(0.2) ? chance.between(62, 130) : 0);
        }
    }

    /** Resets its back-off, or ends its hold. */
    public void startOver(Chance chance) {
        if (holds) {
            release();
        }
        if (nextTry != null) {
            nextTry.cancel();
        }
        waitsSince = timeline.now();
        ask(FIRST_WAIT, chance, 0);
    }

    /** @param work for how many seconds it has other things to do under its hold */
    private void ask(long wait, Chance chance, long work) {
        if (isFree()) {
            lock.takeAsGo(NAME, LEASE_SECONDS);
            waitsSince = -1;
            holds = true;
            long before = work * Timeline.SECONDS + chance.between(300, 4_000) * Timeline.MILLIS;
            end = timeline.after(before, () -> write(chance));
        } else {
            nextTry = timeline.after(wait, () -> ask(Math.min(2 * wait, LONGEST_WAIT), chance, work));
        }
    }

    private boolean isFree() {
        Optional<String> sign = lock.sign();
        if (sign.isEmpty()) {
            return true;
        }
        if (!sign.get().equals(seen)) {
            seen = sign.get();
            seenSince = timeline.now();
        }
        return timeline.now() - seenSince > lock.durationSeconds() * Timeline.SECONDS;
    }

    private void write(Chance chance) {
        Map<IpAddress, String> entries = new TreeMap<>();
        for (int i = chance.between(1, 3); i > 0; i--) {
            entries.put(IpAddress.of("10.8." + i + "." + chance.between(1, 250)), "other-" + i);
        }
        arm.write(NAME, chance.pick(pools), entries);
        end = timeline.after(chance.between(300, 4_000) * Timeline.MILLIS, this::release);
    }

    private void release() {
        if (end != null) {
            end.cancel();
        }
        lock.giveBack(NAME);
        holds = false;
    }
}
