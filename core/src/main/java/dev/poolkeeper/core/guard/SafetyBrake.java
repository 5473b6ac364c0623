package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds removals that together would remove too large a share of all addresses, so that a wrong view of the cluster
 * does not empty its load balancers. Additions continue.
 *
 * <ul>
 *   <li>The share is the number of addresses to be removed (queued or parked), being removed by writes in progress, and
 *       removed within the window, divided by the number that all pools held when the window began. Removals held by
 *       another guard do not count unless their write is in progress; removals that were let through do not count at
 *       all. If the share would be too large, all removals that are not being written yet are held.
 *   <li>Addresses held together form one {@link BrakedRemoval} with one id and one hold. It is let through when its
 *       hold ends or an operator approves its id. Further removals during a hold form another {@link BrakedRemoval}
 *       with its own id and hold. An address leaves its removal only when it is wanted again, whether or not its pool
 *       is parked, being written or held by another guard in the meantime.
 *   <li>With the eager pace, removals that together exceed a tenth of all addresses wait before they are written, so
 *       that the share is judged before a wave of them proceeds pool by pool.
 *   <li>Emptying all pools, if there are at least two, is held regardless of their size.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class SafetyBrake implements Guard {

    private static final Logger log = LoggerFactory.getLogger(SafetyBrake.class);

    /**
     * A held removal.
     *
     * @param id the id that an operator approves
     * @param since when its hold began
     * @param until when it is let through if it is still wanted
     * @param removed the number of addresses it would remove
     * @param all the number of addresses in all pools
     * @param text one sentence for people that states why it was held, with the numbers counted then
     */
    public record BrakedRemoval(String id, Instant since, Instant until, long removed, long all, String text) {}

    /**
     * The last known contents of all pools of local Services.
     *
     * @param addresses the number of addresses they hold
     * @param isAnyWanted whether a Service wants any address in any of them
     * @param pools the pools that are not empty
     */
    public record Totals(long addresses, boolean isAnyWanted, Set<PoolKey> pools) {}

    /**
     * The state at the start of the window.
     *
     * @param addresses the number of addresses in all pools
     * @param isAllLost whether several pools held addresses and no Service wants any address now
     */
    private record Start(long addresses, boolean isAllLost) {}

    /** Removals beyond this share of all addresses wait for further ones. */
    private static final int WAVE_PERCENT = 10;

    private static final String WAVE =
            "Removals are delayed briefly: more than a tenth of all addresses would leave the load"
                    + " balancers, and more may follow.";

    private static final String WAVE_REMEDY = "It continues automatically.";

    private final BrakeSettings settings;
    private final Supplier<Totals> totals;
    private final HoldNotices notices;
    private final InstantSource clock;

    /** Addresses to be removed that belong to no {@link HeldRemoval} and are held by no other guard. */
    private PoolAddresses free = new PoolAddresses();

    /** Addresses that writes in progress remove and that were not let through. They may be in {@link #free} as well. */
    private final PoolAddresses inProgress = new PoolAddresses();

    /** Oldest first. */
    private final List<HeldRemoval> removals = new ArrayList<>();

    private final RecentWrites recent;
    private final RemovalWaves waves;

    /** Computed once per tick; null until needed. */
    private @Nullable Start start;

    private @Nullable String agreed;
    private int lastNumber;

    /**
     * @param waveWait how long removals wait that together exceed a tenth of all addresses; zero for no wait
     * @param totals called only if addresses are to be removed: once per tick, and again if a pool would be emptied
     */
    public SafetyBrake(
            BrakeSettings settings,
            Duration waveWait,
            Supplier<Totals> totals,
            HoldNotices notices,
            InstantSource clock) {
        this.waves = new RemovalWaves(waveWait);
        this.settings = settings;
        this.totals = totals;
        this.notices = notices;
        this.clock = clock;
        this.recent = new RecentWrites(settings.window());
    }

    /** Cost is proportional to the number of plans. */
    @Override
    public synchronized void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
        recent.forgetOld(clock.instant());
        boolean wasHolding = isHolding();
        PoolAddresses wanted = removalsOf(plans);
        removals.forEach(removal -> removal.members.retainAll(wanted));
        removals.removeIf(SafetyBrake::isOver);
        free = removalsOf(release);
        removals.forEach(removal -> free.removeAll(removal.members));
        waves.retainAll(wanted);
        start = null;
        holdIfTooMuch();
        gatherWave();
        releaseDueRemovals();
        if (wasHolding) {
            endNotices();
        }
    }

    /**
     * Nothing is to be removed any more: another process does that now. What is being written is still counted until
     * its write is over, and what was removed within the window until that is.
     */
    public synchronized void rest() {
        recent.forgetOld(clock.instant());
        removals.clear();
        free = new PoolAddresses();
        waves.retainAll(new PoolAddresses());
        start = null;
        endNotices();
    }

    private static PoolAddresses removalsOf(Collection<Plan> plans) {
        PoolAddresses removed = new PoolAddresses();
        plans.forEach(plan -> removed.add(plan.pool(), plan.removals()));
        return removed;
    }

    @Override
    public synchronized Verdict judge(Plan plan) {
        AddressSet unknown = plan.removals().minus(free.of(plan.pool()));
        for (HeldRemoval removal : removals) {
            unknown = unknown.minus(removal.members.of(plan.pool()));
        }
        if (!unknown.isEmpty()) { // queued or found by the read after the tick began
            free.add(plan.pool(), unknown);
            if (plan.planned().isEmpty()) {
                start = null; // the last wanted address may have gone since then
            }
            holdIfTooMuch();
            gatherWave();
        }
        if (releaseDueRemovals()) {
            endNotices();
        }
        return verdict(plan);
    }

    /** What was not judged yet is not held. */
    @Override
    public synchronized Verdict look(Plan plan) {
        return verdict(plan);
    }

    private Verdict verdict(Plan plan) {
        Instant now = clock.instant();
        AddressSet stay = AddressSet.empty();
        HeldRemoval last = null;
        for (HeldRemoval removal : removals) {
            AddressSet held = plan.removals().intersect(removal.members.of(plan.pool()));
            if (!removal.isLetThrough() && !isDue(removal, now) && !held.isEmpty()) {
                stay = stay.union(held);
                last = removal;
            }
        }
        if (last != null) {
            return new Verdict.GoWithLess(
                    plan.planned().union(stay).union(waiting(plan)),
                    new Held(
                            Held.By.SAFETY_BRAKE,
                            Optional.of(last.until),
                            last.describe().text(),
                            remedy(last.describe())));
        }
        return waiting(plan).isEmpty()
                ? Verdict.GO
                : new Verdict.GoWithLess(
                        plan.planned().union(waiting(plan)),
                        new Held(Held.By.REMOVAL_WAVE, waves.until(plan.pool(), clock.instant()), WAVE, WAVE_REMEDY));
    }

    private AddressSet waiting(Plan plan) {
        return plan.removals().intersect(waves.waitingIn(plan.pool(), clock.instant()));
    }

    private void gatherWave() {
        if (waves.areOn() && settings.percent() < 100 && !free.isEmpty() && removesMoreThan(WAVE_PERCENT)) {
            waves.gather(free, clock.instant());
        }
    }

    /** A write with an unknown outcome succeeded if the addresses it was to remove are gone. */
    @Override
    public synchronized void wasRead(Plan plan) {
        AddressSet gone = toBeRemovedFrom(plan.pool()).minus(plan.held());
        if (!gone.isEmpty()) {
            written(plan.pool(), gone, AddressSet.empty());
        }
    }

    private AddressSet toBeRemovedFrom(PoolKey pool) {
        AddressSet all = free.of(pool);
        for (HeldRemoval removal : removals) {
            all = all.union(removal.members.of(pool));
        }
        return all;
    }

    @Override
    public synchronized void writeBegins(Plan plan) {
        inProgress.add(plan.pool(), withoutLetThrough(plan.pool(), plan.removals()));
    }

    @Override
    public synchronized void writeEnded(PoolKey pool) {
        inProgress.remove(pool, inProgress.of(pool));
    }

    @Override
    public synchronized void wasWritten(Plan plan) {
        written(plan.pool(), plan.removals(), plan.additions());
    }

    /** What another writer put in place of our removals is unknown until the next read. */
    @Override
    public synchronized void wasOverwritten(Plan plan) {
        wasWritten(plan);
    }

    private void written(PoolKey pool, AddressSet removed, AddressSet added) {
        AddressSet counted = withoutLetThrough(pool, removed);
        removals.forEach(removal -> removal.members.remove(pool, removed));
        free.remove(pool, removed);
        waves.remove(pool, removed);
        inProgress.remove(pool, removed);
        recent.add(clock.instant(), pool, counted, removed.minus(counted), added);
    }

    private AddressSet withoutLetThrough(PoolKey pool, AddressSet addresses) {
        AddressSet rest = addresses;
        for (HeldRemoval removal : removals) {
            if (removal.isLetThrough()) {
                rest = rest.minus(removal.members.of(pool));
            }
        }
        return rest;
    }

    private void holdIfTooMuch() {
        if (settings.percent() < 100 && !free.isEmpty() && (isHolding() || isTooMuch())) {
            hold();
        }
    }

    private boolean isHolding() {
        return removals.stream().anyMatch(removal -> !removal.isLetThrough());
    }

    private boolean isTooMuch() {
        return start().isAllLost() || removesMoreThan(settings.percent());
    }

    private boolean removesMoreThan(int percent) {
        long all = start().addresses();
        return all >= settings.minAddresses() && removedWithinWindow() * 100 > all * percent;
    }

    /** The number of addresses removed within the window, being removed and to be removed. */
    private long removedWithinWindow() {
        recent.forgetOld(clock.instant());
        PoolAddresses going = going();
        return going.size() + recent.removedExcept(going);
    }

    /** Addresses that pools still hold and that the brake does not keep. */
    private PoolAddresses going() {
        PoolAddresses going = new PoolAddresses();
        going.addAll(free);
        going.addAll(inProgress);
        return going;
    }

    private Start start() {
        Start known = start;
        if (known == null) {
            recent.forgetOld(clock.instant());
            Totals now = totals.get();
            known = new Start(
                    now.addresses() + recent.netRemovedExcept(going()),
                    !now.isAnyWanted() && recent.countWith(now.pools()) >= 2);
            start = known;
        }
        return known;
    }

    /** Turns all free addresses into one removal with its own hold. */
    private void hold() {
        Instant now = clock.instant();
        String id = "removal-%x-%s".formatted(now.getEpochSecond(), ++lastNumber);
        HeldRemoval removal = new HeldRemoval(id, now, now.plus(settings.hold()), free, start().addresses(), why());
        removals.add(removal);
        waves.retainAll(new PoolAddresses()); // addresses held by the brake do not wait for a wave
        free = new PoolAddresses();
        log.atWarn()
                .addKeyValue("id", id)
                .addKeyValue("until", removal.until)
                .log(removal.describe().text() + " " + remedy(removal.describe()));
    }

    /** Returns whether any removal was let through. */
    private boolean releaseDueRemovals() {
        Instant now = clock.instant();
        boolean any = false;
        for (HeldRemoval removal : removals) {
            if (!removal.isLetThrough() && isDue(removal, now)) {
                removal.letThrough();
                any = true;
                log.atWarn()
                        .addKeyValue("id", removal.id)
                        .log(
                                removal.id.equals(agreed)
                                        ? "Held removal was approved"
                                        : "Hold is over; letting the removal through");
            }
        }
        return any;
    }

    private boolean isDue(HeldRemoval removal, Instant now) {
        return removal.id.equals(agreed) || !removal.until.isAfter(now);
    }

    private static boolean isOver(HeldRemoval removal) {
        boolean isOver = removal.members.isEmpty();
        if (isOver && !removal.isLetThrough()) {
            log.atInfo().addKeyValue("id", removal.id).log("Held removal is no longer wanted");
        }
        return isOver;
    }

    private void endNotices() {
        notices.ended(Held.By.SAFETY_BRAKE, pool -> !isHoldingIn(pool));
    }

    private boolean isHoldingIn(PoolKey pool) {
        return removals.stream()
                .anyMatch(removal ->
                        !removal.isLetThrough() && !removal.members.of(pool).isEmpty());
    }

    /** The reason for holding the free addresses. */
    private String why() {
        long all = Math.max(start().addresses(), free.size()); // pools may have been created within the window
        if (isHolding()) {
            return "Removal held back by the safety brake, because an earlier one is held: it would remove %s of %s addresses."
                    .formatted(free.size(), all);
        }
        if (start().isAllLost()) {
            return ("Removal held back by the safety brake: no address is wanted in any pool; it would remove"
                            + " %s of %s addresses.")
                    .formatted(free.size(), all);
        }
        return ("Removal held back by the safety brake: %s of %s addresses would leave the load balancers within %s, %s"
                        + " of them by this removal; more than %s %% may not.")
                .formatted(removedWithinWindow(), all, inWords(settings.window()), free.size(), settings.percent());
    }

    private String remedy(BrakedRemoval removal) {
        return "Set safetyBrake.agreed to %s to let it through before its hold of %s ends."
                .formatted(removal.id(), inWords(settings.hold()));
    }

    private static String inWords(Duration duration) {
        boolean isInMinutes = duration.toSeconds() % 60 == 0;
        return isInMinutes ? duration.toMinutes() + " min" : duration.toSeconds() + " s";
    }

    /** Approves the removal with this id; null for none. An unknown id has no effect. */
    public synchronized void agree(@Nullable String id) {
        agreed = id;
    }

    /** The removals held now, oldest first. */
    public synchronized List<BrakedRemoval> braked() {
        return removals.stream()
                .filter(removal -> !removal.isLetThrough() && !removal.members.isEmpty())
                .map(HeldRemoval::describe)
                .toList();
    }
}
