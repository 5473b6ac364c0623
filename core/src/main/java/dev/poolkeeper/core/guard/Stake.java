package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.HeldRemoval.Part;
import dev.poolkeeper.ports.AddressSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * What one namespace loses of one pool: by what waits to be written, by what is being written, and by what was written
 * within the window. In a pool that Services of several namespaces share, an address belongs to those that want it, or
 * last did; those that none is known to have wanted are a stake of their own. Guarded by the brake.
 */
final class Stake {

    final PoolLoss pool;
    final String namespace;

    /** The addresses that it wants or last wanted; if it has the rest, those of the others. */
    private AddressSet addresses = AddressSet.empty();

    private boolean hasRest;

    /** The addresses that are being removed and do not count as lost. */
    private AddressSet uncounted = AddressSet.empty();

    /** The number of writes within the window, and how many addresses fewer it has by them; negative for more. */
    private int writes;

    private long fewer;

    /** The same without those whose loss does not count. */
    private long fewerCounted;

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
        return writes == 0 && waves.isEmpty() && pool.parts.stream().noneMatch(part -> part.stake == this);
    }

    /** Whether it has no address in the pool, and nothing to be remembered. */
    boolean isGone() {
        return of(pool.contents().union(pool.additions())).isEmpty() && isIdle() && counted.equals(Losses.Share.NONE);
    }

    // --- whose it is ---

    /** It has these. */
    void has(AddressSet own) {
        hasRest = false;
        addresses = own;
    }

    void hasAllBut(AddressSet ofOthers) {
        hasRest = true;
        addresses = ofOthers;
    }

    /** Those of these addresses that belong to it. */
    AddressSet of(AddressSet some) {
        return hasRest ? some.minus(addresses) : some.intersect(addresses);
    }

    // --- what was written ---

    /** These are being removed from the pool; none once that write has ended. */
    void writes(AddressSet removals) {
        uncounted = of(removals).intersect(excused());
    }

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

    // --- what is lost ---

    /** The addresses to be removed that no other guard holds. */
    AddressSet removals() {
        return of(pool.removals());
    }

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

    /** The addresses that are held or do not count; what stays for another stake stays for this one, too. */
    AddressSet kept() {
        return members(
                EnumSet.complementOf(EnumSet.of(Part.State.GOES)), EnumSet.of(Part.State.HELD, Part.State.LET_THROUGH));
    }

    /** The addresses that do not count as lost. */
    AddressSet excused() {
        return members(EnumSet.of(Part.State.REPLACED, Part.State.LET_THROUGH), EnumSet.of(Part.State.LET_THROUGH));
    }

    /** The addresses that are in these states here, or in those in another stake of the pool. */
    private AddressSet members(Set<Part.State> here, Set<Part.State> elsewhere) {
        return PoolLoss.union(pool.parts.stream()
                .filter(part -> (part.stake == this ? here : elsewhere).contains(part.state()))
                .map(part -> part.addresses));
    }

    // --- what waits for a wave ---

    void keepWaves(UnaryOperator<AddressSet> some) {
        waves.replaceAll(wave -> new Wave(some.apply(wave.addresses()), wave.until()));
        waves.removeIf(wave -> wave.addresses().isEmpty());
    }

    /** What is lost of these waits from now on, unless it has waited; what is replaced need not. */
    void gather(AddressSet removals, Instant until) {
        AddressSet waited = PoolLoss.union(waves.stream().map(Wave::addresses));
        AddressSet lost = some(removals.minus(waited), lost() - waited.size());
        if (!lost.isEmpty()) {
            waves.add(new Wave(lost, until));
        }
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
