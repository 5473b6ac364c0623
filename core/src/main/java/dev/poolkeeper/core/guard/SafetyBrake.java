package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.facts.HoldTexts;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.core.pool.Pool;
import dev.poolkeeper.core.pool.Pools;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds removals that together would lose too large a share of all addresses, so that a wrong view of the cluster does
 * not empty its load balancers. Additions continue.
 *
 * <ul>
 *   <li>What a pool loses is how much smaller it would be than when the window began, with all that is to be removed or
 *       added, being written, and written within the window. A pool whose addresses are replaced loses nothing. What
 *       another guard holds does not count unless its write is in progress; what was let through does not count at all.
 *   <li>The share is the sum of what is lost, divided by the sum of the pools' sizes when the window began: of each
 *       namespace that would lose enough addresses, and of all the others together. Only removals in a namespace that
 *       loses more than the share of its own addresses are held, and of these only the ones in pools that shrink: no
 *       namespace makes another one's removals wait. In a pool shared by Services of several namespaces an address
 *       counts for each that wants it or last did, and is held if one of these loses too much; those that none is known
 *       to have wanted count as a namespace of their own.
 *   <li>Addresses held together form one {@link BrakedRemoval} with one id and one hold. They are set aside: further
 *       removals are judged as if these stayed. The hold ends when it is due, when an operator approves its id, or when
 *       what remains of it would not have been held. An address leaves its removal only when it is wanted again, so it
 *       is never held for longer than one hold, whatever happens to other addresses.
 *   <li>With the eager pace, removals that would lose more than a tenth of all addresses, and enough of them, wait
 *       before they are written, so that the share is judged before a wave of them proceeds pool by pool.
 *   <li>Addresses of a family that a pool's Services do not have there are neither counted nor held.
 *   <li>Emptying all pools, if at least two held an address, is held regardless of their size.
 * </ul>
 *
 * <p>Thread-safe: guarded by the lock of the pools.
 */
public final class SafetyBrake implements Guard {

    private static final Logger log = LoggerFactory.getLogger(SafetyBrake.class);

    /** In place of ids: all removals that are held when it is passed to {@link #agree}. */
    public static final String ALL = "all";

    /**
     * A held removal.
     *
     * @param id the id that an operator approves
     * @param since when its hold began
     * @param until when it is let through if it is still wanted
     * @param removed the number of addresses it would remove
     * @param all the number of addresses in all pools of its namespaces
     * @param loss why it was held, with the numbers counted then
     */
    public record BrakedRemoval(String id, Instant since, Instant until, long removed, long all, Loss loss) {}

    /** Removals that lose more than this share of all addresses wait for further ones. */
    private static final int WAVE_PERCENT = 10;

    private final Pools known;
    private final InstantSource clock;
    private final PoolLosses pools;
    private final HeldRemovals removals = new HeldRemovals();
    private final Duration waveWait;
    private BrakeSettings settings;
    private int lastNumber;

    /**
     * @param waveWait how long removals wait that together lose more than a tenth of all addresses; zero for no wait
     * @param known tell which pools changed, and lend their lock
     * @param plans of the updates of a pool that wait, are parked or are in progress; quick
     * @param others the guards before the brake, which sees only what these let through
     */
    public SafetyBrake(
            BrakeSettings settings,
            Duration waveWait,
            Pools known,
            Function<Pool, List<Plan>> plans,
            Guards others,
            InstantSource clock) {
        this.settings = settings;
        this.waveWait = waveWait;
        this.known = known;
        this.pools = new PoolLosses(known, plans, others, settings.window());
        this.clock = clock;
    }

    /** Cost is proportional to the number of pools that changed, or of which something is held. */
    public void tickBegins() {
        synchronized (known) {
            boolean wasHolding = !removals.held().isEmpty();
            pools.forgetOld(clock.instant());
            pools.plan();
            removals.forgetDone();
            judgeAll();
            if (wasHolding) {
                endReports();
            }
        }
    }

    /** Other guards may decide otherwise about any pool: all are looked up when the next tick begins. */
    public void lookAgain() {
        synchronized (known) {
            pools.allChanged();
        }
    }

    /**
     * Nothing is to be removed any more: another process does that now. What is being written is still counted until
     * its write is over, and what was removed within the window until that is.
     */
    public void standBy() {
        synchronized (known) {
            pools.forgetOld(clock.instant());
            removals.clear();
            pools.clear();
            endReports();
        }
    }

    @Override
    public Verdict judge(Plan plan) {
        synchronized (known) {
            if (pools.learn(plan.served())) {
                judgeAll();
            }
            if (removals.letThroughDue(clock.instant())) {
                endReports();
            }
            return look(plan);
        }
    }

    /** What was not judged yet is not held. */
    public Verdict look(Plan plan) {
        AddressSet removed = plan.served().removals();
        synchronized (known) {
            PoolLoss pool = pools.find(plan.pool());
            return pool == null ? Verdict.GO : look(plan, pool, removed);
        }
    }

    private Verdict look(Plan plan, PoolLoss pool, AddressSet removed) {
        Instant now = clock.instant();
        AddressSet stay = AddressSet.empty();
        for (Stake stake : pool.stakes) {
            stay = stay.union(stake.delayed(stake.of(removed), now));
        }
        HeldRemoval newest = null;
        for (HeldRemoval.Part part : pool.parts) {
            AddressSet its = part.stake.of(removed).intersect(part.addresses);
            if (!its.isEmpty() && part.isHeld() && !removals.isDue(part.removal(), now)) {
                stay = stay.union(its);
                newest = part.removal();
            }
        }
        if (stay.isEmpty()) {
            return Verdict.GO;
        }
        return new Verdict.GoWithLess(
                plan.planned().union(stay),
                newest == null ? new HoldCause.Wave(pool.delayedUntil(now)) : because(newest.begun));
    }

    /** First what is new, by itself; then, oldest first, what is held and may no longer have to be. */
    private void judgeAll() {
        pools.forgetOld(clock.instant());
        removals.letThroughDue(clock.instant());
        removals.held().forEach(removal -> removal.holdIn(removal.namespaces));
        pools.sums();
        boolean removesAny = settings.percent() < 100 && !pools.removing().isEmpty();
        if (removesAny) {
            holdTooLarge();
        }
        reconsider();
        if (removesAny && !waveWait.isZero()) {
            gatherWave();
        }
    }

    /**
     * What would no longer be held goes, unless too much would be lost together with what else goes now. That may
     * change with each of them, so they are looked at until none has to hold more.
     */
    private void reconsider() {
        List<HeldRemoval> held = removals.held();
        for (HeldRemoval removal : held) {
            removal.holdIn(removal.stillTooLarge(pools.isAnyWanted(), settings));
            holdMore(removal);
        }
        boolean isMoreHeld = true;
        while (isMoreHeld) {
            isMoreHeld = false;
            for (HeldRemoval removal : held) {
                isMoreHeld |= holdMore(removal);
            }
        }
    }

    /** Returns whether it holds more now. */
    private boolean holdMore(HeldRemoval removal) {
        return removal.holdAlsoIn(pools.sums().tooLarge(settings));
    }

    private void holdTooLarge() {
        Losses losses = pools.sums();
        Set<String> namespaces = losses.tooLarge(settings);
        if (pools.isAllLost()) {
            hold(fresh(namespace -> true), true, Optional.empty());
        } else if (losses.isTooLarge(settings)) {
            hold(fresh(namespaces::contains), false, Optional.empty());
        } else {
            for (String one : namespaces) {
                hold(fresh(one::equals), false, Optional.of(one));
            }
        }
    }

    private void gatherWave() {
        BrakeSettings wave = settings.withPercent(WAVE_PERCENT);
        Losses losses = pools.sums();
        if (losses.total().lost() >= wave.minAddresses() && losses.isTooLarge(wave)) {
            Instant until = clock.instant().plus(waveWait);
            fresh(losses.exceeding(wave)::contains).forEach((stake, addresses) -> stake.gather(addresses, until));
        }
    }

    /** The addresses to be removed that belong to no {@link HeldRemoval}, of stakes of these namespaces that shrink. */
    private Map<Stake, AddressSet> fresh(Predicate<String> namespaces) {
        Map<Stake, AddressSet> fresh = new LinkedHashMap<>();
        for (Stake stake : pools.removing()) {
            AddressSet addresses = stake.removals().minus(stake.pool.members());
            if (!addresses.isEmpty() && namespaces.test(stake.namespace) && stake.lost() > 0) {
                fresh.put(stake, addresses);
            }
        }
        return fresh;
    }

    /** @param namespace the one that would lose too much; empty if all together would */
    private void hold(Map<Stake, AddressSet> members, boolean isAllLost, Optional<String> namespace) {
        if (members.isEmpty()) { // what is lost too much is written already
            return;
        }
        Set<String> namespaces =
                members.keySet().stream().map(stake -> stake.namespace).collect(Collectors.toSet());
        Losses losses = pools.sums();
        Losses others = without(members);
        long removed = HeldRemoval.count(members);
        long all = namespaces.stream().mapToLong(one -> others.of(one).all()).sum();
        Loss loss = isAllLost
                ? new Loss.Everything(removed, losses.total().all())
                : losses.tooMuch(namespace, others, settings);
        Instant now = clock.instant();
        String id = "removal-%x-%s".formatted(now.getEpochSecond(), ++lastNumber);
        BrakedRemoval begun = new BrakedRemoval(id, now, now.plus(settings.hold()), removed, all, loss);
        removals.begin(new HeldRemoval(begun, members, others.only(namespaces, settings), isAllLost));
        log.atWarn().addKeyValue("id", id).addKeyValue("until", begun.until()).log(HoldTexts.message(because(begun)));
    }

    private HoldCause because(BrakedRemoval removal) {
        return new HoldCause.Braked(removal.id(), removal.loss(), settings.hold(), removal.until());
    }

    /** What would be lost if these stayed: also less by other stakes in their pools. */
    private Losses without(Map<Stake, AddressSet> members) {
        Losses losses = pools.sums().copy();
        HeldRemoval.byPool(members).forEach((pool, addresses) -> {
            for (Stake stake : pool.stakes) {
                losses.add(stake.namespace, stake.lostWithout(stake.kept().union(addresses)) - stake.lost(), 0);
            }
        });
        return losses;
    }

    /** A write with an unknown outcome succeeded if the addresses it was to remove are gone. */
    public void wasRead(Plan all) {
        Plan plan = all.served();
        synchronized (known) {
            PoolLoss pool = pools.get(plan.pool());
            AddressSet gone = pool.removals().union(pool.members()).minus(plan.held());
            if (!gone.isEmpty()) {
                pools.written(clock.instant(), pool, gone, pool.additions().intersect(plan.held()));
            }
            pools.contains(pool, plan.held());
            if (!gone.isEmpty()) {
                judgeAll();
            }
        }
    }

    /** What does not count as lost does not do so while it is written. */
    public void writeBegins(Plan all) {
        Plan plan = all.served();
        synchronized (known) {
            pools.get(plan.pool()).writes(plan);
        }
    }

    public void writeEnded(PoolKey pool) {
        synchronized (known) {
            pools.get(pool).writes(null);
        }
    }

    public void wasWritten(Plan all) {
        Plan plan = all.served();
        synchronized (known) {
            PoolLoss pool = pools.get(plan.pool());
            pools.written(clock.instant(), pool, plan.removals(), plan.additions());
            pool.writes(null);
            pools.contains(pool, plan.planned());
        }
    }

    private void endReports() {
        known.clearReported(HoldCause.By.SAFETY_BRAKE, key -> !pools.isHeld(key), service -> true);
    }

    /**
     * Approves the removals with these ids, and no others. Unknown ids have no effect. {@link #ALL} approves those that
     * are held now; it has no effect if the same ids were passed before.
     */
    public void agree(Set<String> ids) {
        synchronized (known) {
            removals.agree(ids);
        }
    }

    /** Changes the share that may be lost, also for what is held; 0 to 100. */
    public void setPercent(int percent) {
        synchronized (known) {
            settings = settings.withPercent(percent);
        }
    }

    /** The removals held now, oldest first. */
    public List<BrakedRemoval> braked() {
        synchronized (known) {
            return removals.describe();
        }
    }
}
