package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.known.KnownPool;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.merge.MergeRule;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.core.tick.UpdateGuard;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds removals back when one tick would remove too large a share of all addresses: rather that than a cluster that
 * was told of wrongly. Additions go on. A removal is let through once it has stayed so for long enough, or an operator
 * agreed to it by its id.
 *
 * <p>What a tick would remove is worked out before it from what is known of the pools, so that nothing of it is
 * removed; and because that may be old, what is really removed is counted too.
 *
 * <p>Thread-safe.
 */
public final class SafetyBrake implements UpdateGuard {

    private static final Logger log = LoggerFactory.getLogger(SafetyBrake.class);

    private final BrakeSettings settings;
    private final KnownPools known;
    private final OperationQueue queue;
    private final LocalServices services;
    private final LongSupplier allAddresses;
    private final HoldNotices notices;
    private final InstantSource clock;
    private @Nullable BrakedRemoval braked;
    private @Nullable String agreed;
    private boolean letThrough;
    private long removedThisTick;

    /**
     * A removal that is, or was, held back.
     *
     * @param id what an operator agrees to
     * @param since when it was first held back
     * @param until when it is let through if it stays so
     * @param removed how many addresses it would remove
     * @param all of how many
     */
    public record BrakedRemoval(String id, Instant since, Instant until, long removed, long all) {}

    /** @param allAddresses how many addresses all pools of local Services hold together; asked only when it matters */
    public SafetyBrake(
            BrakeSettings settings,
            KnownPools known,
            OperationQueue queue,
            LocalServices services,
            LongSupplier allAddresses,
            HoldNotices notices,
            InstantSource clock) {
        this.settings = settings;
        this.known = known;
        this.queue = queue;
        this.services = services;
        this.allAddresses = allAddresses;
        this.notices = notices;
        this.clock = clock;
    }

    /** To be called before each tick. Costs in proportion to the operations that the tick could try. */
    public void tickStarts() {
        Instant now = clock.instant();
        long removals = 0;
        for (OperationGroup group : queue.due(now)) {
            removals += removals(group);
        }
        judge(removals, now);
    }

    private long removals(OperationGroup group) {
        Optional<KnownPool> pool = known.find(group.pool());
        if (pool.isEmpty()) {
            return 0;
        }
        AddressSet held = pool.get().addresses();
        return held.minus(MergeRule.fold(held, group.operations(), services)).size();
    }

    private synchronized void judge(long removals, Instant now) {
        removedThisTick = 0;
        long all = isWorthCounting(removals) ? allAddresses.getAsLong() : 0;
        if (!isWorthCounting(removals) || !settings.isTooMuch(removals, all)) {
            release();
            return;
        }
        BrakedRemoval removal = brake(removals, all, now);
        boolean isAgreed = removal.id().equals(agreed);
        letThrough = isAgreed || !removal.until().isAfter(now);
        if (letThrough) {
            log.atWarn()
                    .addKeyValue("id", removal.id())
                    .log(isAgreed ? "A braked removal was agreed to" : "A braked removal stayed so and is let through");
        }
    }

    private boolean isWorthCounting(long removals) {
        return removals > 0 && removals * 100 > (long) settings.minAddresses() * settings.percent();
    }

    private BrakedRemoval brake(long removals, long all, Instant now) {
        BrakedRemoval before = braked;
        Instant since = before == null ? now : before.since();
        BrakedRemoval removal =
                new BrakedRemoval("removal-" + since, since, since.plus(settings.hold()), removals, all);
        braked = removal;
        if (before == null) {
            log.atWarn().addKeyValue("id", removal.id()).log(message(removal));
        }
        return removal;
    }

    private void release() {
        if (braked != null) {
            log.atInfo().log("The safety brake is released");
            notices.ended(Hold.SAFETY_BRAKE, pool -> true);
        }
        braked = null;
        letThrough = false;
    }

    @Override
    public synchronized AddressSet restrain(OperationGroup group, BackendPool read, AddressSet folded) {
        int removed = read.addresses().minus(folded).size();
        if (removed == 0 || letThrough) {
            return folded;
        }
        if (braked == null) {
            removedThisTick += removed;
            long all = isWorthCounting(removedThisTick) ? allAddresses.getAsLong() : 0;
            if (!isWorthCounting(removedThisTick) || !settings.isTooMuch(removedThisTick, all)) {
                return folded;
            }
            brake(removedThisTick, all, clock.instant());
        }
        notices.tell(group, Hold.SAFETY_BRAKE, message(braked));
        return read.addresses().union(folded);
    }

    private String message(@Nullable BrakedRemoval removal) {
        return removal == null
                ? ""
                : ("Removal held back by the safety brake: %d of %d addresses would leave the load balancers at once,"
                      + " more than %d %%. Nothing is removed before %s, unless safetyBrake.agreed is set to %s or"
                      + " fewer are to be removed.")
                        .formatted(removal.removed(), removal.all(), settings.percent(), removal.until(), removal.id());
    }

    /** Agrees to the removal of this id, null for none. An id of another removal does nothing. */
    public synchronized void agree(@Nullable String id) {
        agreed = id;
    }

    /** What is held back now. */
    public synchronized Optional<BrakedRemoval> braked() {
        return letThrough ? Optional.empty() : Optional.ofNullable(braked);
    }
}
