package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Held;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
 *       namespace that would lose enough addresses, and of all pools together. Only removals in a namespace that loses
 *       more than the share of its own addresses are held, and of these only the ones in pools that shrink: no
 *       namespace makes another one's removals wait. Pools shared by Services of several namespaces count as a
 *       namespace of their own.
 *   <li>Addresses held together form one {@link BrakedRemoval} with one id and one hold. They are set aside: further
 *       removals are judged as if these stayed. The hold ends when it is due, when an operator approves its id, or when
 *       what remains of it would not have been held. An address leaves its removal only when it is wanted again, so it
 *       is never held for longer than one hold, whatever happens to other addresses.
 *   <li>With the eager pace, removals that would lose more than a tenth of all addresses, and enough of them, wait
 *       before they are written, so that the share is judged before a wave of them proceeds pool by pool.
 *   <li>Emptying all pools, if at least two held an address, is held regardless of their size.
 * </ul>
 *
 * <p>Thread-safe.
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
     * @param text one sentence for people that states why it was held, with the numbers counted then
     */
    public record BrakedRemoval(String id, Instant since, Instant until, long removed, long all, String text) {}

    /** Removals that lose more than this share of all addresses wait for further ones. */
    private static final int WAVE_PERCENT = 10;

    private final HoldNotices notices;
    private final InstantSource clock;
    private final RecentWrites recent;
    private final Outlook outlook;
    private final HeldRemovals removals;
    private final RemovalWaves waves;
    private BrakeSettings settings;
    private int lastNumber;

    /**
     * @param waveWait how long removals wait that together lose more than a tenth of all addresses; zero for no wait
     * @param sizes called only if addresses are to be removed: once per tick, and for each plan that was not known then
     */
    public SafetyBrake(
            BrakeSettings settings,
            Duration waveWait,
            Supplier<LocalPoolSizes> sizes,
            HoldNotices notices,
            InstantSource clock) {
        this.settings = settings;
        this.notices = notices;
        this.clock = clock;
        this.recent = new RecentWrites(settings.window());
        this.outlook = new Outlook(sizes, recent);
        this.removals = new HeldRemovals(outlook, clock);
        this.waves = new RemovalWaves(waveWait);
    }

    /** Cost is proportional to the number of plans, and to the number of pools if anything is to be removed. */
    public synchronized void tickBegins(Collection<Plan> plans, Collection<Plan> release) {
        boolean wasHolding = removals.waiting().findAny().isPresent();
        outlook.tickBegins(plans, release);
        PoolAddresses wanted = outlook.removals();
        removals.retainAll(wanted);
        waves.retainAll(wanted);
        judgeAll();
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
        outlook.clear();
        waves.retainAll(new PoolAddresses());
        endNotices();
    }

    @Override
    public synchronized Verdict judge(Plan plan) {
        if (outlook.learn(plan)) { // queued or found by the read after the tick began
            judgeAll();
        }
        if (removals.letThroughDue()) {
            endNotices();
        }
        return verdict(plan);
    }

    /** What was not judged yet is not held. */
    public synchronized Verdict look(Plan plan) {
        return verdict(plan);
    }

    private Verdict verdict(Plan plan) {
        AddressSet planned = plan.planned().union(removals.held(plan)).union(waiting(plan));
        if (planned.equals(plan.planned())) {
            return Verdict.GO;
        }
        return new Verdict.GoWithLess(
                planned,
                removals.holding(plan)
                        .map(removal -> BrakeTexts.held(removal, settings))
                        .orElseGet(() -> BrakeTexts.wave(waves.until(plan.pool(), clock.instant()))));
    }

    /** The removals of this plan that wait for a wave: no more than the pool would lose. */
    private AddressSet waiting(Plan plan) {
        AddressSet waiting = plan.removals().intersect(waves.waitingIn(plan.pool(), clock.instant()));
        return waiting.isEmpty() ? waiting : some(waiting, outlook.lost(plan.pool(), removals.kept(plan.pool())));
    }

    private static AddressSet some(AddressSet addresses, long count) {
        return addresses.size() <= count
                ? addresses
                : AddressSet.of(addresses.stream().limit(Math.max(0, count)).toList());
    }

    /** First what is new, by itself; then, oldest first, what is held and may no longer have to be. */
    private void judgeAll() {
        recent.forgetOld(clock.instant());
        removals.letThroughDue();
        removals.waiting().forEach(HeldRemoval::hold);
        boolean removesAny = settings.percent() < 100 && outlook.removesAny();
        if (removesAny) {
            holdTooLarge();
        }
        removals.waiting().forEach(this::reconsider);
        if (removesAny && waves.areOn()) {
            gatherWave();
        }
    }

    /** What would no longer be held goes, unless too much would be lost together with what else goes now. */
    private void reconsider(HeldRemoval removal) {
        Set<String> held = removal.stillTooLarge(outlook, settings.percent(), settings.minAddresses());
        if (removal.holdOnly(held)) {
            removal.holdAlso(losses().tooLarge(settings.percent(), settings.minAddresses()));
        }
    }

    private void holdTooLarge() {
        Losses losses = losses();
        Set<String> namespaces = losses.tooLarge(settings.percent(), settings.minAddresses());
        if (outlook.isAllLost()) {
            PoolAddresses fresh = fresh(namespace -> true);
            hold(fresh, true, others -> BrakeTexts.allLost(fresh.size(), losses));
        } else if (losses.isTooLarge(settings.percent(), settings.minAddresses())) {
            hold(fresh(namespaces::contains), false, others -> why(Optional.empty(), losses, others));
        } else {
            for (String one : namespaces) {
                hold(fresh(one::equals), false, others -> why(Optional.of(one), losses, others));
            }
        }
    }

    private String why(Optional<String> namespace, Losses losses, Losses others) {
        return BrakeTexts.tooLarge(namespace, losses, others, settings);
    }

    private void gatherWave() {
        Losses losses = losses();
        if (losses.lost() >= settings.minAddresses() && losses.isTooLarge(WAVE_PERCENT, settings.minAddresses())) {
            Set<String> namespaces = losses.tooLarge(WAVE_PERCENT, settings.minAddresses());
            PoolAddresses fresh = fresh(namespaces::contains);
            PoolAddresses lost = new PoolAddresses(); // what is replaced need not wait
            for (PoolKey pool : fresh.pools()) {
                AddressSet waited = waves.of(pool);
                lost.add(
                        pool,
                        some(fresh.of(pool).minus(waited), outlook.lost(pool, removals.kept(pool)) - waited.size()));
            }
            waves.gather(lost, clock.instant());
        }
    }

    private Losses losses() {
        return outlook.losses(removals::kept);
    }

    /** The addresses to be removed that belong to no {@link HeldRemoval}, in pools of these namespaces that shrink. */
    private PoolAddresses fresh(Predicate<String> namespaces) {
        PoolAddresses fresh = new PoolAddresses();
        for (PoolKey pool : outlook.pools()) {
            if (namespaces.test(outlook.namespace(pool)) && outlook.lost(pool, removals.kept(pool)) > 0) {
                fresh.add(pool, outlook.removals(pool).minus(removals.members(pool)));
            }
        }
        return fresh;
    }

    /** @param why the reason, given what would be lost without these */
    private void hold(PoolAddresses members, boolean isAllLost, Function<Losses, String> why) {
        if (members.isEmpty()) { // what is lost too much is written already
            return;
        }
        Map<PoolKey, HeldRemoval.Pool> pools = new HashMap<>();
        for (PoolKey pool : members.pools()) {
            pools.put(pool, new HeldRemoval.Pool(outlook.namespace(pool), outlook.countedBefore(pool)));
            waves.remove(pool, members.of(pool)); // what the brake holds does not wait for a wave
        }
        Losses others = outlook.losses(pool -> removals.kept(pool).union(members.of(pool)));
        Instant now = clock.instant();
        String id = "removal-%x-%s".formatted(now.getEpochSecond(), ++lastNumber);
        Instant until = now.plus(settings.hold());
        String text = why.apply(others);
        removals.add(new HeldRemoval(id, now, until, members, pools, others, isAllLost, text));
        log.atWarn()
                .addKeyValue("id", id)
                .addKeyValue("until", until)
                .log(text + " " + BrakeTexts.remedy(id, settings));
    }

    /** A write with an unknown outcome succeeded if the addresses it was to remove are gone. */
    public synchronized void wasRead(Plan plan) {
        PoolKey pool = plan.pool();
        AddressSet gone = outlook.removals(pool).union(removals.members(pool)).minus(plan.held());
        if (gone.isEmpty()) {
            outlook.holds(pool, plan.held());
        } else {
            written(pool, gone, outlook.additions(pool).intersect(plan.held()));
            outlook.holds(pool, plan.held());
            judgeAll();
        }
    }

    /** What does not count as lost does not do so while it is written. */
    public synchronized void writeBegins(Plan plan) {
        AddressSet counted = plan.removals().minus(removals.excused(plan.pool()));
        outlook.writeBegins(
                plan.withPlanned(plan.planned().union(plan.removals().minus(counted))));
    }

    public synchronized void writeEnded(PoolKey pool) {
        outlook.writeEnded(pool);
    }

    public synchronized void wasWritten(Plan plan) {
        written(plan.pool(), plan.removals(), plan.additions());
        outlook.writeEnded(plan.pool());
        outlook.holds(plan.pool(), plan.planned());
    }

    /** What another writer put in place of our removals is unknown until the next read. */
    public synchronized void wasOverwritten(Plan plan) {
        wasWritten(plan);
    }

    private void written(PoolKey pool, AddressSet removed, AddressSet added) {
        int excused = removed.intersect(removals.excused(pool)).size();
        recent.add(clock.instant(), pool, removed.size() - added.size(), excused);
        removals.remove(pool, removed);
        waves.remove(pool, removed);
    }

    private void endNotices() {
        notices.ended(Held.By.SAFETY_BRAKE, pool -> !removals.isHolding(pool));
    }

    /**
     * Approves the removals with these ids, and no others. Unknown ids have no effect. {@link #ALL} approves those that
     * are held now; it has no effect if the same ids were passed before.
     */
    public synchronized void agree(Set<String> ids) {
        removals.agree(ids);
    }

    /** Changes the share that may be lost, also for what is held; 0 to 100. */
    public synchronized void setPercent(int percent) {
        settings = settings.withPercent(percent);
    }

    /** The pools with removals that are held, or were let through and are not done yet. */
    public synchronized Set<PoolKey> pools() {
        return removals.pools();
    }

    /** The removals held now, oldest first. */
    public synchronized List<BrakedRemoval> braked() {
        return removals.describe();
    }
}
