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
 * Holds removals that together would take too large a share of all addresses, so that a cluster that is seen wrongly
 * does not empty its load balancers. Additions go on.
 *
 * <ul>
 *   <li>The share is: what is to be removed (queued or parked), what is being removed by writes in progress, and what
 *       was removed within the window, over what all pools held when the window began. What another guard holds does
 *       not count unless its write is in progress; what was let through does not count at all. If the share would be
 *       too large, everything that is to be removed and is not being written yet is held.
 *   <li>What is held together is one {@link BrakedRemoval}: a set of addresses in pools with one id and one hold. It is
 *       let through when its hold is over, or when an operator agreed to its id. Whatever else is to be removed while
 *       something is held forms another removal with its own id and hold. An address that is wanted again leaves its
 *       removal; nothing else does, whether its pool is parked, is being written, or is held by another guard
 *       meanwhile.
 *   <li>Where updates start as soon as they can, removals that together pass a tenth of all addresses wait for a window
 *       before they are written, so that the share is judged before a wave of them has gone pool by pool.
 *   <li>Emptying all pools, at least two, is held whatever their size.
 * </ul>
 *
 * <p>Thread-safe.
 */
public final class SafetyBrake implements Guard {

    private static final Logger log = LoggerFactory.getLogger(SafetyBrake.class);

    /**
     * A removal that is held.
     *
     * @param id what an operator agrees to
     * @param since when its hold began
     * @param until when it is let through if it is still wanted
     * @param removed how many addresses it would remove
     * @param all of how many
     * @param text one sentence for people: why it was held, with what was counted then
     */
    public record BrakedRemoval(String id, Instant since, Instant until, long removed, long all, String text) {}

    /**
     * What all pools of local Services hold together, as far as is known.
     *
     * @param addresses how many addresses they hold
     * @param isAnyWanted whether a Service wants any address in any of them
     * @param pools those that hold any
     */
    public record Totals(long addresses, boolean isAnyWanted, Set<PoolKey> pools) {}

    /**
     * How it was when the window began.
     *
     * @param addresses how many addresses all pools held
     * @param isAllLost whether several of them held any and nothing is wanted in any of them now
     */
    private record Start(long addresses, boolean isAllLost) {}

    /** Beyond this share of all addresses removals wait for each other. */
    private static final int WAVE_PERCENT = 10;

    private static final String WAVE =
            "Removals wait for a moment: more than a tenth of all addresses would leave the load"
                    + " balancers, and more may follow.";

    private static final String WAVE_REMEDY = "It goes on by itself.";

    private final BrakeSettings settings;
    private final Supplier<Totals> totals;
    private final HoldNotices notices;
    private final InstantSource clock;

    /** What is to be removed, belongs to no {@link HeldRemoval}, and is held by no other guard. */
    private PoolAddresses free = new PoolAddresses();

    /** What writes in progress remove, and was not let through. It may be free as well. */
    private final PoolAddresses inProgress = new PoolAddresses();

    /** The oldest first. */
    private final List<HeldRemoval> removals = new ArrayList<>();

    private final RecentWrites recent;
    private final RemovalWaves waves;

    /** As it was found at this tick; null until it is needed. */
    private @Nullable Start start;

    private @Nullable String agreed;
    private int lastNumber;

    /**
     * @param waveWait how long removals wait that together pass a tenth of all addresses; zero for not at all
     * @param totals asked only if something is to be removed: once a tick, and again where a pool would be emptied
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

    /** Costs in proportion to the plans. */
    @Override
    public synchronized void tickBegins(Collection<Plan> plans, Collection<Plan> letGo) {
        recent.forgetOld(clock.instant());
        boolean wasHolding = isHolding();
        PoolAddresses wanted = removalsOf(plans);
        removals.forEach(removal -> removal.members.retainAll(wanted));
        removals.removeIf(SafetyBrake::isOver);
        free = removalsOf(letGo);
        removals.forEach(removal -> free.removeAll(removal.members));
        waves.retainAll(wanted);
        start = null;
        holdIfTooMuch();
        gatherWave();
        letThroughWhatIsDue();
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
        if (!unknown.isEmpty()) { // queued, or found by the read, since the tick began
            free.add(plan.pool(), unknown);
            if (plan.planned().isEmpty()) {
                start = null; // since then the last Service may have stopped wanting anything
            }
            holdIfTooMuch();
            gatherWave();
        }
        if (letThroughWhatIsDue()) {
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

    /** A write whose outcome was not known has landed if what it was to remove is gone. */
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

    /** Of what another writer put in place of our removals nothing is known before the next read. */
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

    /** What was removed within the window, is being removed, and is to be removed. */
    private long removedWithinWindow() {
        recent.forgetOld(clock.instant());
        PoolAddresses going = going();
        return going.size() + recent.removedExcept(going);
    }

    /** What pools still hold and the brake does not keep there. */
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

    /** Everything that is free becomes one removal with a hold of its own. */
    private void hold() {
        Instant now = clock.instant();
        String id = "removal-%x-%d".formatted(now.getEpochSecond(), ++lastNumber);
        HeldRemoval removal = new HeldRemoval(id, now, now.plus(settings.hold()), free, start().addresses(), why());
        removals.add(removal);
        waves.retainAll(new PoolAddresses()); // what is held by the brake waits for nothing else
        free = new PoolAddresses();
        log.atWarn()
                .addKeyValue("id", id)
                .addKeyValue("until", removal.until)
                .log(removal.describe().text() + " " + remedy(removal.describe()));
    }

    /** Returns whether something was. */
    private boolean letThroughWhatIsDue() {
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
                                        ? "Held removal was agreed to"
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

    /** Why what is free is held. */
    private String why() {
        long all = Math.max(start().addresses(), free.size()); // pools may be younger than the window
        if (isHolding()) {
            return "Removal held back by the safety brake, because an earlier one is held: it would remove %d of %d addresses."
                    .formatted(free.size(), all);
        }
        if (start().isAllLost()) {
            return ("Removal held back by the safety brake: no address is wanted in any pool any more; it would remove"
                            + " %d of %d addresses.")
                    .formatted(free.size(), all);
        }
        return ("Removal held back by the safety brake: %d of %d addresses would leave the load balancers within %s, %d"
                        + " of them by this removal; more than %d %% may not.")
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

    /** Agrees to the removal of this id, null for none. The id of another removal does nothing. */
    public synchronized void agree(@Nullable String id) {
        agreed = id;
    }

    /** What is held now, the oldest first. */
    public synchronized List<BrakedRemoval> braked() {
        return removals.stream()
                .filter(removal -> !removal.isLetThrough() && !removal.members.isEmpty())
                .map(HeldRemoval::describe)
                .toList();
    }
}
