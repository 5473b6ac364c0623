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
 * A controller of the same load balancers that is none of ours, such as the Go provider. Each has a pool of its own,
 * which it writes while it holds the resource lock. It asks for the lock once, again after 5 s, and then after twice as
 * long each time, up to 5 min. A Lease that names a holder is free for it once it has not changed for the duration that
 * it says, as far as it saw.
 */
public final class OtherController {

    /** How it signs Leases. */
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
    private String seen = "";
    private long seenSince;

    public OtherController(Timeline timeline, ResourceManager arm, LeaseObject lock) {
        this.timeline = timeline;
        this.arm = arm;
        this.lock = lock;
    }

    /** It has a pool on this load balancer. */
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

    /** Since when it has waited for the resource lock; -1 while it does not. */
    public long waitsSince() {
        return waitsSince;
    }

    /** One of its pools is to hold something else. Without effect while it is at work on another one. */
    public void reconcile(Chance chance) {
        if (waitsSince < 0 && !holds) {
            waitsSince = timeline.now();
            ask(FIRST_WAIT, chance);
        }
    }

    /** It begins to ask as at first. */
    public void startOver(Chance chance) {
        if (!holds) {
            if (nextTry != null) {
                nextTry.cancel();
            }
            waitsSince = timeline.now();
            ask(FIRST_WAIT, chance);
        }
    }

    private void ask(long wait, Chance chance) {
        if (isFree()) {
            lock.take(NAME, LEASE_SECONDS);
            waitsSince = -1;
            holds = true;
            timeline.after(chance.between(300, 4_000) * Timeline.MILLIS, () -> write(chance));
        } else {
            nextTry = timeline.after(wait, () -> ask(Math.min(2 * wait, LONGEST_WAIT), chance));
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
        timeline.after(chance.between(300, 4_000) * Timeline.MILLIS, () -> {
            lock.giveBack(NAME);
            holds = false;
        });
    }
}
