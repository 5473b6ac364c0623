package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.tick.UpdateGuard;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.PoolKey;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a pool that somebody else keeps changing back: it holds something else than what we wrote last, and what we
 * wrote last is what we want still. Such a pool is written less and less often, and its Services are told once.
 * Thread-safe.
 */
public final class DriftFights implements UpdateGuard {

    private static final Logger log = LoggerFactory.getLogger(DriftFights.class);

    private record Fight(int changedBack, Instant last, Instant until) {}

    private final DriftSettings settings;
    private final KnownPools known;
    private final HoldNotices notices;
    private final InstantSource clock;
    private final Map<PoolKey, Fight> fights = new ConcurrentHashMap<>();

    public DriftFights(DriftSettings settings, KnownPools known, HoldNotices notices, InstantSource clock) {
        this.settings = settings;
        this.known = known;
        this.notices = notices;
        this.clock = clock;
    }

    @Override
    public boolean admits(OperationGroup group) {
        Fight fight = fights.get(group.pool());
        return fight == null || !fight.until().isAfter(clock.instant());
    }

    @Override
    public AddressSet restrain(OperationGroup group, BackendPool read, AddressSet folded) {
        AddressSet ours =
                known.find(group.pool()).map(pool -> pool.ourLastWrite()).orElse(null);
        if (ours != null && folded.equals(ours) && !read.addresses().equals(ours)) {
            Fight fight = fights.compute(group.pool(), (pool, before) -> changedBack(before, clock.instant()));
            if (fight.changedBack() == settings.times()) {
                log.atWarn()
                        .addKeyValue("loadBalancer", group.pool().loadBalancer())
                        .addKeyValue("pool", group.pool().pool())
                        .log("Somebody else keeps changing a pool back; it is written less often");
                notices.tell(
                        group,
                        Hold.DRIFT_FIGHT,
                        ("Backend pool was changed back by somebody else %d times. It is written once more and then not"
                                        + " before %s. See to it that only one writer keeps this pool.")
                                .formatted(fight.changedBack(), fight.until()));
            }
        }
        return folded;
    }

    private Fight changedBack(@Nullable Fight before, Instant now) {
        boolean isOver =
                before != null && before.last().plus(settings.calmAfter()).isBefore(now);
        int times = before == null || isOver ? 1 : before.changedBack() + 1;
        Instant until =
                times < settings.times() ? now : now.plus(settings.waits().before(times - settings.times() + 1));
        return new Fight(times, now, until);
    }

    /** Forgets the fights that are over. To be called now and then. */
    public void settle() {
        Instant now = clock.instant();
        fights.forEach((pool, fight) -> {
            if (fight.last().plus(settings.calmAfter()).isBefore(now) && fights.remove(pool, fight)) {
                notices.ended(Hold.DRIFT_FIGHT, pool::equals);
            }
        });
    }

    /** The pools that are fought over, each with the instant before which it is not written. */
    public Map<PoolKey, Instant> fights() {
        return fights.entrySet().stream()
                .filter(entry -> entry.getValue().changedBack() >= settings.times())
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, entry -> entry.getValue().until()));
    }
}
