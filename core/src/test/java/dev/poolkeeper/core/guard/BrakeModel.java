package dev.poolkeeper.core.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The safety brake's promises on plain sets, keeping the whole history and counting everything again each time. Shares
 * no code with the brake.
 */
final class BrakeModel {

    static final int PERCENT = 50;
    static final int MIN_ADDRESSES = 20;
    static final Duration HOLD = Duration.ofMinutes(10);
    static final Duration WINDOW = Duration.ofSeconds(30);

    /** An address in a pool. */
    record Cell(int pool, int address) {}

    static final class Removal {
        final Instant since;
        final Set<Cell> cells;
        final boolean isAllLost;

        /** How many addresses each of its pools held when the window began. */
        final Map<Integer, Integer> sizes = new HashMap<>();

        /** What was lost without it when it was held. */
        final Map<Integer, Integer> lostWithoutIt = new HashMap<>();

        final Map<Integer, Integer> sizesOfAll = new HashMap<>();
        final Set<String> held = new TreeSet<>();
        String id = "";
        boolean isLetThrough;

        Removal(Instant since, Set<Cell> cells, boolean isAllLost) {
            this.since = since;
            this.cells = cells;
            this.isAllLost = isAllLost;
        }

        Set<Integer> pools() {
            return sizes.keySet();
        }
    }

    /** By how much a write made a pool smaller, and how much of that counts. */
    private record Shrunk(Instant at, int pool, int by, int counted) {}

    /** What the brake learns about a pool that no other guard holds. */
    record Going(Set<Integer> removed, Set<Integer> added) {}

    final List<Removal> removals = new ArrayList<>();
    private final List<Shrunk> past = new ArrayList<>();
    private final String[] namespaces;
    private Instant now;
    private Map<Integer, Set<Integer>> held = Map.of();
    private Map<Integer, Going> going = new HashMap<>();
    private final Map<Integer, Going> inProgress = new HashMap<>();
    private boolean isAnyWanted = true;
    private Set<String> agreed = Set.of();

    /** @param namespaces of each pool */
    BrakeModel(Instant start, String... namespaces) {
        this.now = start;
        this.namespaces = namespaces.clone();
    }

    void agree(Collection<String> ids) {
        agreed = Set.copyOf(ids);
    }

    /** @param toBeRemoved including what another guard holds */
    void tick(
            Instant time,
            Map<Integer, Set<Integer>> holds,
            boolean anyWanted,
            Set<Cell> toBeRemoved,
            Map<Integer, Going> release) {
        now = time;
        held = copy(holds);
        isAnyWanted = anyWanted;
        removals.forEach(removal -> removal.cells.retainAll(toBeRemoved));
        removals.removeIf(removal -> removal.cells.isEmpty());
        going = new HashMap<>(release);
        judge();
    }

    /** An update of a pool is about to be written. */
    void judged(Instant time, Map<Integer, Set<Integer>> holds, boolean anyWanted, int pool, Going plan) {
        now = time;
        Going before = going.getOrDefault(pool, new Going(Set.of(), Set.of()));
        Set<Integer> removed = new HashSet<>(before.removed());
        removed.removeAll(plan.added());
        removed.retainAll(holds.get(pool));
        removed.addAll(plan.removed());
        Going after = new Going(removed, plan.added());
        held = copy(holds);
        if (!after.equals(before)) {
            going.put(pool, after);
            isAnyWanted = anyWanted;
            judge();
        }
        letThrough();
    }

    private static Map<Integer, Set<Integer>> copy(Map<Integer, Set<Integer>> sets) {
        Map<Integer, Set<Integer>> copy = new HashMap<>();
        sets.forEach((pool, set) -> copy.put(pool, Set.copyOf(set)));
        return copy;
    }

    private void judge() {
        letThrough();
        removals.forEach(removal -> removal.pools().forEach(pool -> removal.held.add(namespaces[pool])));
        Map<Integer, Integer> lost = lost();
        if (!isAnyWanted && pools().filter(pool -> sizeBefore(pool) > 0).count() >= 2) {
            hold(Set.copyOf(List.of(namespaces)), true);
        } else if (isTooLarge(lost, sizesBefore())) {
            hold(tooLarge(lost, sizesBefore()), false);
        } else {
            tooLarge(lost, sizesBefore()).forEach(namespace -> hold(Set.of(namespace), false));
        }
        removals.stream().filter(removal -> !removal.isLetThrough).forEach(this::reconsider);
    }

    private void hold(Set<String> namespacesToHold, boolean isAllLost) {
        Map<Integer, Integer> lost = lost();
        Set<Cell> cells = new HashSet<>();
        Removal removal = new Removal(now, cells, isAllLost);
        pools().filter(pool -> namespacesToHold.contains(namespaces[pool]) && lost.get(pool) > 0)
                .forEach(pool -> going(pool).removed().stream()
                        .map(address -> new Cell(pool, address))
                        .filter(cell -> removals.stream().noneMatch(other -> other.cells.contains(cell)))
                        .forEach(cells::add));
        if (!cells.isEmpty()) {
            cells.forEach(cell -> removal.sizes.put(
                    cell.pool(), Math.max(0, held.get(cell.pool()).size() + shrunk(cell.pool()))));
            removal.held.addAll(namespacesToHold);
            removals.add(removal);
            removal.lostWithoutIt.putAll(lost());
            removal.sizesOfAll.putAll(sizesBefore());
        }
    }

    private void reconsider(Removal removal) {
        if (removal.isAllLost && !isAnyWanted) {
            return;
        }
        Map<Integer, Integer> lost = new HashMap<>(removal.lostWithoutIt);
        removal.pools().forEach(pool -> lost.merge(pool, lostBy(removal, pool), Integer::sum));
        removal.held.retainAll(tooLarge(lost, removal.sizesOfAll));
        Set<String> all = removal.pools().stream().map(pool -> namespaces[pool]).collect(Collectors.toSet());
        if (!removal.held.containsAll(all)) {
            removal.held.addAll(tooLarge(lost(), sizesBefore()));
        }
    }

    private int lostBy(Removal removal, int pool) {
        int cells =
                (int) removal.cells.stream().filter(cell -> cell.pool() == pool).count();
        int without = held.get(pool).size() - cells + added(pool).size();
        return Math.max(0, Math.min(cells, removal.sizes.get(pool) - without));
    }

    private Stream<Integer> pools() {
        return IntStream.range(0, namespaces.length).boxed();
    }

    private Going going(int pool) {
        return going.getOrDefault(pool, new Going(Set.of(), Set.of()));
    }

    private Set<Integer> added(int pool) {
        Set<Integer> added = new HashSet<>(going(pool).added());
        if (inProgress.containsKey(pool)) {
            added.addAll(inProgress.get(pool).added());
        }
        return added;
    }

    private int sum(int pool, ToIntFunction<Shrunk> number) {
        Instant begin = now.minus(WINDOW);
        return past.stream()
                .filter(write -> write.pool() == pool && write.at().isAfter(begin))
                .mapToInt(number)
                .sum();
    }

    private int shrunk(int pool) {
        return sum(pool, Shrunk::counted);
    }

    private int sizeBefore(int pool) {
        return Math.max(0, held.get(pool).size() + sum(pool, Shrunk::by));
    }

    private Map<Integer, Integer> sizesBefore() {
        return pools().collect(Collectors.toMap(pool -> pool, this::sizeBefore));
    }

    /** How much smaller each pool would be than when the window began. */
    private Map<Integer, Integer> lost() {
        return pools().collect(Collectors.toMap(pool -> pool, pool -> {
            Set<Integer> gone = new HashSet<>(going(pool).removed());
            gone.removeIf(address -> isKept(new Cell(pool, address)));
            if (inProgress.containsKey(pool)) {
                gone.addAll(inProgress.get(pool).removed());
            }
            return Math.max(0, shrunk(pool) + gone.size() - added(pool).size());
        }));
    }

    private boolean isKept(Cell cell) {
        return removals.stream()
                .anyMatch(removal -> removal.cells.contains(cell)
                        && (removal.isLetThrough || removal.held.contains(namespaces[cell.pool()])));
    }

    private boolean isHeld(Removal removal, int pool) {
        return !removal.isLetThrough
                && removal.held.contains(namespaces[pool])
                && removal.pools().contains(pool)
                && lostBy(removal, pool) > 0;
    }

    /** Whether losing it does not count. */
    private boolean isExcused(Cell cell) {
        return removals.stream()
                .anyMatch(removal -> removal.cells.contains(cell)
                        && (removal.isLetThrough
                                || removal.held.contains(namespaces[cell.pool()])
                                        && lostBy(removal, cell.pool()) == 0));
    }

    private static boolean exceeds(int lost, int all) {
        return lost * 100 > all * PERCENT;
    }

    private static int sum(Collection<Integer> numbers) {
        return numbers.stream().mapToInt(number -> number).sum();
    }

    private static boolean isTooLarge(Map<Integer, Integer> lost, Map<Integer, Integer> all) {
        return sum(all.values()) >= MIN_ADDRESSES && exceeds(sum(lost.values()), sum(all.values()));
    }

    /** Those judged by themselves, and the smaller ones if the pools outside those together lose too much. */
    private Set<String> tooLarge(Map<Integer, Integer> lost, Map<Integer, Integer> all) {
        Set<String> large = losingAtLeast(MIN_ADDRESSES, lost, all);
        Map<Integer, Integer> otherLost = new HashMap<>(lost);
        Map<Integer, Integer> otherAll = new HashMap<>(all);
        otherLost.keySet().removeIf(pool -> large.contains(namespaces[pool]));
        otherAll.keySet().removeIf(pool -> large.contains(namespaces[pool]));
        return isTooLarge(otherLost, otherAll) ? losingAtLeast(0, lost, all) : large;
    }

    private Set<String> losingAtLeast(int least, Map<Integer, Integer> lost, Map<Integer, Integer> all) {
        return Stream.of(namespaces)
                .filter(namespace -> {
                    List<Integer> own = pools().filter(pool -> namespaces[pool].equals(namespace))
                            .toList();
                    int lostThere = sum(own.stream().map(lost::get).toList());
                    int allThere = sum(own.stream().map(all::get).toList());
                    return exceeds(lostThere, allThere) && lostThere >= least;
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void letThrough() {
        for (Removal removal : removals) {
            removal.isLetThrough |= isDue(removal);
        }
    }

    private boolean isDue(Removal removal) {
        return agreed.contains(removal.id) || !removal.since.plus(HOLD).isAfter(now);
    }

    /** The held ones of these. */
    Set<Cell> heldOf(Collection<Cell> cells) {
        return cells.stream()
                .filter(cell -> removals.stream()
                        .anyMatch(removal -> removal.cells.contains(cell) && isHeld(removal, cell.pool())))
                .collect(Collectors.toSet());
    }

    /** The number of addresses that a removal holds. */
    long heldBy(Removal removal) {
        return removal.cells.stream()
                .filter(cell -> isHeld(removal, cell.pool()))
                .count();
    }

    void writeBegins(int pool, Set<Integer> removed, Set<Integer> added) {
        Set<Integer> counted = new HashSet<>(removed);
        counted.removeIf(address -> isExcused(new Cell(pool, address)));
        inProgress.put(pool, new Going(counted, added));
    }

    void writeEnded(int pool) {
        inProgress.remove(pool);
    }

    /** A write was seen to have succeeded. */
    void written(Instant time, int pool, Set<Integer> removed, Set<Integer> added, Set<Integer> holds) {
        now = time;
        int excused = (int) removed.stream()
                .filter(address -> isExcused(new Cell(pool, address)))
                .count();
        int by = removed.size() - added.size();
        past.add(new Shrunk(now, pool, by, by > 0 ? Math.max(0, by - excused) : by));
        removals.forEach(
                removal -> removal.cells.removeIf(cell -> cell.pool() == pool && removed.contains(cell.address())));
        inProgress.remove(pool);
        holds(pool, holds);
    }

    /** A read shows what a write with an unknown outcome did. */
    void wasRead(Instant time, int pool, Set<Integer> gone, Set<Integer> come, Set<Integer> holds) {
        if (!gone.isEmpty()) {
            written(time, pool, gone, come, holds);
            judge();
        } else {
            holds(pool, holds);
        }
    }

    /** Whether nothing of it is held although its hold is not over. */
    boolean endedEarly(Removal removal) {
        return !removal.isLetThrough && !removal.cells.isEmpty() && heldBy(removal) == 0;
    }

    /** The contents of a pool became known. */
    void holds(int pool, Set<Integer> now) {
        held.put(pool, Set.copyOf(now));
        Going plan = going(pool);
        Set<Integer> removed = new HashSet<>(plan.removed());
        removed.retainAll(now);
        Set<Integer> added = new HashSet<>(plan.added());
        added.removeAll(now);
        going.put(pool, new Going(removed, added));
    }

    /**
     * Whether the pool's namespace loses no more than the share by what was written within the window and what is being
     * written, with what waits to be added; too small ones always do.
     */
    boolean isWithinShare(int pool) {
        String namespace = namespaces[pool];
        int lost = 0;
        int all = 0;
        for (int other = 0; other < namespaces.length; other++) {
            if (namespaces[other].equals(namespace)) {
                Going writing = inProgress.getOrDefault(other, new Going(Set.of(), Set.of()));
                lost += Math.max(
                        0,
                        shrunk(other) + writing.removed().size() - added(other).size());
                all += sizeBefore(other);
            }
        }
        return lost < MIN_ADDRESSES || !exceeds(lost, all);
    }
}
