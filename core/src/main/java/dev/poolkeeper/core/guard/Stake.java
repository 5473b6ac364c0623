package dev.poolkeeper.core.guard;

import dev.poolkeeper.ports.AddressSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What one namespace loses of one pool: by what waits to be written, by what is being written, and by what was written
 * within the window; and which of its removals are held. In a pool that Services of several namespaces share, an
 * address belongs to those that want it, or last did; those that none is known to have wanted are a stake of their own.
 * Guarded by the brake.
 */
final class Stake {

    final PoolLoss pool;
    final String namespace;

    /** Whether it has all addresses but those of others; if not, it has its own. */
    private boolean hasRest = true;

    /** The addresses that it wants or last wanted; kept only while others have a stake in the pool. */
    private AddressSet own = AddressSet.empty();

    private AddressSet ofOthers = AddressSet.empty();

    /** The addresses that are being removed and do not count as lost. */
    private AddressSet uncounted = AddressSet.empty();

    /** The number of writes within the window, and how many addresses fewer it has by them; negative for more. */
    private int writes;

    private long fewer;

    /** The same without those whose loss does not count. */
    private long fewerCounted;

    /** The parts of held removals, oldest first; an address is in one of them at most. */
    final List<HeldRemoval.Part> parts = new ArrayList<>(0);

    private final List<Wave> waves = new ArrayList<>(0);

    /** What the sums contain of it. */
    Losses.Share counted = Losses.Share.NONE;

    /** Removals that wait, or have waited, for further ones. */
    private record Wave(AddressSet addresses, Instant until) {}

    Stake(PoolLoss pool, String namespace) {
        this.pool = pool;
        this.namespace = namespace;
    }

    /** Nothing that happened has to be remembered of it. */
    boolean isIdle() {
        return writes == 0 && parts.isEmpty() && waves.isEmpty();
    }

    /** Whether it has no address in the pool, and nothing to be remembered. */
    boolean isGone() {
        return of(pool.contents().union(pool.additions())).isEmpty() && isIdle() && counted.equals(Losses.Share.NONE);
    }

    // --- whose it is ---

    void hasAllBut(AddressSet addresses) {
        hasRest = true;
        own = AddressSet.empty();
        ofOthers = addresses;
    }

    /** Until now it had all. */
    void had(AddressSet contents) {
        own = contents;
    }

    /**
     * @param wanted by its Services
     * @param wantedByAny by all Services of the pool
     */
    void wants(AddressSet wanted, AddressSet wantedByAny, AddressSet contents) {
        hasRest = false;
        own = wanted.union(own.minus(wantedByAny).intersect(contents));
    }

    AddressSet own() {
        return own;
    }

    /** Those of these addresses that belong to it. */
    AddressSet of(AddressSet addresses) {
        return hasRest ? addresses.minus(ofOthers) : addresses.intersect(own);
    }

    // --- what waits ---

    /** The addresses to be removed that no other guard holds. */
    AddressSet removals() {
        return of(pool.removals());
    }

    /** Forgets the members of removals that are not among these. */
    void keepOnly(AddressSet removals) {
        keep(addresses -> of(addresses.intersect(removals)));
    }

    /** These are being removed from the pool; none once that write has ended. */
    void writes(AddressSet removals) {
        uncounted = of(removals).intersect(excused());
    }

    // --- what was written ---

    /**
     * @param lost how many addresses fewer it contains; negative for more
     * @param counted how many of them count
     */
    void written(int number, long lost, long counted) {
        writes += number;
        fewer += lost;
        fewerCounted += counted;
        pool.changed();
    }

    /** These are no longer to be removed. */
    void removed(AddressSet addresses) {
        keep(members -> members.minus(addresses));
        pool.changed();
    }

    private void keep(UnaryOperator<AddressSet> some) {
        parts.forEach(part -> part.keep(some));
        parts.removeIf(HeldRemoval.Part::isEmpty);
        keepWaves(some);
    }

    private void keepWaves(UnaryOperator<AddressSet> some) {
        waves.replaceAll(wave -> new Wave(some.apply(wave.addresses()), wave.until()));
        waves.removeIf(wave -> wave.addresses().isEmpty());
    }

    // --- what is lost ---

    /** How many addresses fewer it would have than when the window began, if what is held or does not count stays. */
    long lost() {
        return lostWithout(kept());
    }

    /** @param stay the addresses that stay although they are to be removed */
    long lostWithout(AddressSet stay) {
        AddressSet removed =
                removals().minus(stay).union(of(pool.beingRemoved()).minus(uncounted));
        return Math.max(0, fewerCounted + removed.size() - additions());
    }

    /** How many addresses it had when the window began, without those whose loss does not count. */
    long countedBefore() {
        return Math.max(0, sizeNow() + fewerCounted);
    }

    /** How many addresses it would have without these, once what waits is added. */
    long sizeWithout(AddressSet removed) {
        return sizeNow() - removed.size() + additions();
    }

    private long additions() {
        return of(pool.additions()).size();
    }

    private long sizeNow() {
        return of(pool.contents()).size();
    }

    /** How much it loses, and how many addresses it had when the window began. */
    Losses.Share summand() {
        return pool.counts() ? new Losses.Share(lost(), Math.max(0, sizeNow() + fewer)) : Losses.Share.NONE;
    }

    // --- what is held ---

    boolean hasParts() {
        return !parts.isEmpty();
    }

    boolean isHeld() {
        return parts.stream().anyMatch(part -> !part.held().isEmpty());
    }

    /** The addresses that belong to a held removal. */
    AddressSet members() {
        return PoolLoss.union(parts.stream().map(HeldRemoval.Part::addresses));
    }

    /** The addresses that are held or do not count. */
    AddressSet kept() {
        return PoolLoss.union(
                Stream.concat(parts.stream().map(HeldRemoval.Part::kept), others().map(HeldRemoval.Part::stays)));
    }

    /** The addresses that do not count as lost. */
    AddressSet excused() {
        return PoolLoss.union(Stream.concat(
                parts.stream().map(HeldRemoval.Part::excused), others().map(HeldRemoval.Part::letThrough)));
    }

    /** The parts of other stakes in the pool, which may contain an address of this one, too. */
    private Stream<HeldRemoval.Part> others() {
        return pool.stakes().stream().filter(stake -> stake != this).flatMap(stake -> stake.parts.stream());
    }

    // --- what waits for a wave ---

    /** What is lost of these waits from now on, unless it has waited; what is replaced need not. */
    void gather(AddressSet removals, Instant until) {
        AddressSet waited = PoolLoss.union(waves.stream().map(Wave::addresses));
        AddressSet lost = some(removals.minus(waited), lost() - waited.size());
        if (!lost.isEmpty()) {
            waves.add(new Wave(lost, until));
        }
    }

    /** What a removal holds does not wait for a wave. */
    void add(HeldRemoval.Part part) {
        parts.add(part);
        keepWaves(addresses -> addresses.minus(part.addresses()));
        pool.changed();
    }

    /** Of these removals those that wait: no more than the pool would lose. */
    AddressSet delayed(AddressSet removals, Instant now) {
        AddressSet delayed = removals.intersect(PoolLoss.union(gathering(now).map(Wave::addresses)));
        return delayed.isEmpty() ? delayed : some(delayed, lost());
    }

    /** When the last wait ends; empty if no address waits. */
    Optional<Instant> delayedUntil(Instant now) {
        return gathering(now).map(Wave::until).max(Instant::compareTo);
    }

    private Stream<Wave> gathering(Instant now) {
        return waves.stream().filter(wave -> wave.until().isAfter(now));
    }

    private static AddressSet some(AddressSet addresses, long count) {
        return addresses.size() <= count
                ? addresses
                : AddressSet.of(addresses.stream().limit(Math.max(0, count)).toList());
    }
}
