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

    /** Of a shared pool what no namespace is known to have wanted. */
    private static final String REST = "rest";

    /** An address in a pool. */
    record Cell(int pool, int address) {}

    /** What one namespace has in a pool. */
    record Stake(int pool, String namespace) {}

    /** An address of a stake. */
    record Member(Stake stake, int address) {
        Cell cell() {
            return new Cell(stake.pool(), address);
        }
    }

    static final class Removal {
        final Instant since;

        /** Of whomever their addresses belong to: another namespace of a pool may come to lose too much by them. */
        final Set<Member> members;

        /** Those that would have lost too much. */
        final Set<String> namespaces = new TreeSet<>();

        final boolean isAllLost;

        /** How many addresses each of its stakes had when the window began, when it came to it. */
        final Map<Stake, Integer> sizes = new HashMap<>();

        /** What was lost without it when it was held. */
        final Map<Stake, Integer> lostWithoutIt = new HashMap<>();

        final Map<Stake, Integer> sizesOfAll = new HashMap<>();
        final Set<String> held = new TreeSet<>();
        String id = "";
        boolean isLetThrough;

        Removal(Instant since, Set<Member> members, boolean isAllLost) {
            this.since = since;
            this.members = members;
            this.isAllLost = isAllLost;
        }

        void hold(Set<String> some) {
            held.clear();
            held.addAll(some);
        }

        Set<Stake> stakes() {
            return sizes.keySet();
        }
    }

    /** By how much a write made a stake smaller, and how much of that counts. */
    private record Shrunk(Instant at, Stake stake, int by, int counted) {}

    /** What the brake learns about a pool that no other guard holds. */
    record Going(Set<Integer> removed, Set<Integer> added) {}

    final List<Removal> removals = new ArrayList<>();
    private final List<Shrunk> past = new ArrayList<>();
    private final List<Stake> stakes = new ArrayList<>();
    private final Map<Cell, Set<String>> owners = new HashMap<>();
    private Instant now;
    private Map<Integer, Set<Integer>> held = Map.of();
    private Map<Integer, Going> going = new HashMap<>();
    private final Map<Integer, Going> inProgress = new HashMap<>();

    /** What is being removed of a stake and does not count. */
    private final Map<Stake, Set<Integer>> uncounted = new HashMap<>();

    private boolean isAnyWanted = true;
    private Set<String> agreed = Set.of();

    /** @param namespaces of each pool */
    BrakeModel(Instant start, List<List<String>> namespaces) {
        this.now = start;
        for (int pool = 0; pool < namespaces.size(); pool++) {
            for (String namespace : namespaces.get(pool)) {
                stakes.add(new Stake(pool, namespace));
            }
            if (namespaces.get(pool).size() > 1) {
                stakes.add(new Stake(pool, REST));
            }
        }
    }

    void agree(Collection<String> ids) {
        agreed = Set.copyOf(ids);
    }

    /** An address belongs to those that want it, or last did. */
    private void look(Map<Stake, Set<Integer>> wanted) {
        isAnyWanted = wanted.values().stream().anyMatch(addresses -> !addresses.isEmpty());
        Map<Cell, Set<String>> wanters = new HashMap<>();
        wanted.forEach((stake, addresses) -> addresses.forEach(
                address -> wanters.computeIfAbsent(new Cell(stake.pool(), address), key -> new TreeSet<>())
                        .add(stake.namespace())));
        owners.keySet()
                .removeIf(cell -> !held.get(cell.pool()).contains(cell.address())
                        && !added(cell.pool()).contains(cell.address()));
        owners.putAll(wanters);
    }

    private boolean belongs(Stake stake, int address) {
        Set<String> its = owners.get(new Cell(stake.pool(), address));
        return its == null ? stake.namespace().equals(REST) || isTheOnly(stake) : its.contains(stake.namespace());
    }

    private boolean isTheOnly(Stake stake) {
        return stakes.stream().filter(other -> other.pool() == stake.pool()).count() == 1;
    }

    private Set<Integer> of(Stake stake, Collection<Integer> addresses) {
        return addresses.stream().filter(address -> belongs(stake, address)).collect(Collectors.toSet());
    }

    /** @param toBeRemoved including what another guard holds */
    void tick(
            Instant time,
            Map<Integer, Set<Integer>> holds,
            Map<Stake, Set<Integer>> wanted,
            Set<Cell> toBeRemoved,
            Map<Integer, Going> release) {
        now = time;
        held = copy(holds);
        look(wanted);
        removals.forEach(removal -> {
            Set<Cell> cells = removal.members.stream().map(Member::cell).collect(Collectors.toSet());
            cells.retainAll(toBeRemoved);
            consistsOf(removal, cells);
        });
        removals.removeIf(removal -> removal.members.isEmpty());
        going = new HashMap<>(release);
        judge();
    }

    private void consistsOf(Removal removal, Set<Cell> cells) {
        Set<Stake> before = removal.members.stream().map(Member::stake).collect(Collectors.toSet());
        removal.members.clear();
        for (Cell cell : cells) {
            for (Stake stake : stakes) {
                if (stake.pool() == cell.pool() && belongs(stake, cell.address())) {
                    removal.members.add(new Member(stake, cell.address()));
                    if (!before.contains(stake)) {
                        removal.sizes.put(stake, Math.max(0, size(stake) + shrunk(stake)));
                    }
                }
            }
        }
    }

    /** An update of a pool is about to be written. */
    void judged(Instant time, Map<Integer, Set<Integer>> holds, Map<Stake, Set<Integer>> wanted, int pool, Going plan) {
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
            look(wanted);
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
        removals.forEach(removal -> removal.hold(removal.namespaces));
        Map<Stake, Integer> lost = lost();
        Set<String> large = tooLarge(lost, sizesBefore());
        if (!isAnyWanted
                && stakes.stream()
                                .filter(stake -> sizeBefore(stake) > 0)
                                .map(Stake::pool)
                                .distinct()
                                .count()
                        >= 2) {
            Set<String> all = stakes.stream().map(Stake::namespace).collect(Collectors.toSet());
            hold(all, true);
        } else if (isTooLarge(lost, sizesBefore())) {
            hold(large, false);
        } else {
            large.forEach(namespace -> hold(Set.of(namespace), false));
        }
        List<Removal> held =
                removals.stream().filter(removal -> !removal.isLetThrough).toList();
        held.forEach(this::reconsider);
        while (held.stream().filter(this::holdMore).count() > 0) {
            // one may have been judged while another was held that goes now
        }
    }

    private void hold(Set<String> namespacesToHold, boolean isAllLost) {
        Map<Stake, Integer> lost = lost();
        Set<Member> members = new HashSet<>();
        Removal removal = new Removal(now, members, isAllLost);
        for (Stake stake : stakes) {
            if (namespacesToHold.contains(stake.namespace()) && lost.get(stake) > 0) {
                of(stake, going(stake.pool()).removed()).stream()
                        .map(address -> new Member(stake, address))
                        .filter(member -> removals.stream().noneMatch(other -> isIn(other, member.cell())))
                        .forEach(members::add);
            }
        }
        if (!members.isEmpty()) {
            members.forEach(member -> removal.namespaces.add(member.stake().namespace()));
            Set<Cell> cells = members.stream().map(Member::cell).collect(Collectors.toSet());
            members.clear();
            consistsOf(removal, cells);
            removal.hold(removal.namespaces);
            removals.add(removal);
            removal.lostWithoutIt.putAll(lost());
            removal.sizesOfAll.putAll(sizesBefore());
        }
    }

    private static boolean isIn(Removal removal, Cell cell) {
        return removal.members.stream().anyMatch(member -> member.cell().equals(cell));
    }

    private void reconsider(Removal removal) {
        if (removal.isAllLost && !isAnyWanted) {
            return;
        }
        Map<Stake, Integer> lost = new HashMap<>(removal.lostWithoutIt);
        removal.stakes().stream()
                .filter(stake -> removal.namespaces.contains(stake.namespace()))
                .forEach(stake -> lost.merge(stake, lostBy(removal, stake), Integer::sum));
        removal.held.retainAll(tooLarge(lost, removal.sizesOfAll));
        holdMore(removal);
    }

    /** Returns whether it holds more now. */
    private boolean holdMore(Removal removal) {
        return removal.held.addAll(tooLarge(lost(), sizesBefore()));
    }

    private int lostBy(Removal removal, Stake stake) {
        int members = (int) removal.members.stream()
                .filter(member -> member.stake().equals(stake))
                .count();
        int without = size(stake) - members + of(stake, added(stake.pool())).size();
        return Math.max(0, Math.min(members, removal.sizes.get(stake) - without));
    }

    private int size(Stake stake) {
        return of(stake, held.get(stake.pool())).size();
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

    private int sum(Stake stake, ToIntFunction<Shrunk> number) {
        Instant begin = now.minus(WINDOW);
        return past.stream()
                .filter(write -> write.stake().equals(stake) && write.at().isAfter(begin))
                .mapToInt(number)
                .sum();
    }

    private int shrunk(Stake stake) {
        return sum(stake, Shrunk::counted);
    }

    private int sizeBefore(Stake stake) {
        return Math.max(0, size(stake) + sum(stake, Shrunk::by));
    }

    private Map<Stake, Integer> sizesBefore() {
        return stakes.stream().collect(Collectors.toMap(stake -> stake, this::sizeBefore));
    }

    /** How much smaller each stake would be than when the window began. */
    private Map<Stake, Integer> lost() {
        return stakes.stream().collect(Collectors.toMap(stake -> stake, stake -> {
            Set<Integer> gone = of(stake, going(stake.pool()).removed());
            gone.removeIf(address -> isKept(new Member(stake, address)));
            if (inProgress.containsKey(stake.pool())) {
                Set<Integer> written = of(stake, inProgress.get(stake.pool()).removed());
                written.removeAll(uncounted.getOrDefault(stake, Set.of()));
                gone.addAll(written);
            }
            return Math.max(
                    0,
                    shrunk(stake) + gone.size() - of(stake, added(stake.pool())).size());
        }));
    }

    private boolean isKept(Member member) {
        return removals.stream()
                .anyMatch(removal -> removal.members.contains(member)
                                && (removal.isLetThrough
                                        || removal.held.contains(member.stake().namespace()))
                        || others(removal, member)
                                .anyMatch(other -> removal.isLetThrough || isHeld(removal, other.stake())));
    }

    /** The same address of other stakes. */
    private static Stream<Member> others(Removal removal, Member member) {
        return removal.members.stream().filter(other -> other.cell().equals(member.cell()) && !other.equals(member));
    }

    private boolean isHeld(Removal removal, Stake stake) {
        return !removal.isLetThrough
                && removal.held.contains(stake.namespace())
                && removal.stakes().contains(stake)
                && lostBy(removal, stake) > 0;
    }

    /** Whether losing it does not count. */
    private boolean isExcused(Member member) {
        return removals.stream()
                .anyMatch(removal -> removal.members.contains(member)
                                && (removal.isLetThrough
                                        || removal.held.contains(member.stake().namespace())
                                                && lostBy(removal, member.stake()) == 0)
                        || removal.isLetThrough
                                && others(removal, member).findAny().isPresent());
    }

    private static boolean exceeds(int lost, int all) {
        return lost * 100 > all * PERCENT;
    }

    private static int sum(Collection<Integer> numbers) {
        return numbers.stream().mapToInt(number -> number).sum();
    }

    private static boolean isTooLarge(Map<Stake, Integer> lost, Map<Stake, Integer> all) {
        return sum(all.values()) >= MIN_ADDRESSES && exceeds(sum(lost.values()), sum(all.values()));
    }

    /** Those judged by themselves, and the smaller ones if the stakes outside those together lose too much. */
    private Set<String> tooLarge(Map<Stake, Integer> lost, Map<Stake, Integer> all) {
        Set<String> large = losingAtLeast(MIN_ADDRESSES, lost, all);
        Map<Stake, Integer> otherLost = new HashMap<>(lost);
        Map<Stake, Integer> otherAll = new HashMap<>(all);
        otherLost.keySet().removeIf(stake -> large.contains(stake.namespace()));
        otherAll.keySet().removeIf(stake -> large.contains(stake.namespace()));
        return isTooLarge(otherLost, otherAll) ? losingAtLeast(0, lost, all) : large;
    }

    private Set<String> losingAtLeast(int least, Map<Stake, Integer> lost, Map<Stake, Integer> all) {
        return stakes.stream()
                .map(Stake::namespace)
                .filter(namespace -> {
                    int lostThere = sumIn(namespace, lost);
                    return exceeds(lostThere, sumIn(namespace, all)) && lostThere >= least;
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static int sumIn(String namespace, Map<Stake, Integer> numbers) {
        return numbers.entrySet().stream()
                .filter(entry -> entry.getKey().namespace().equals(namespace))
                .mapToInt(Map.Entry::getValue)
                .sum();
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
                        .anyMatch(removal -> removal.members.stream()
                                .anyMatch(member -> member.cell().equals(cell) && isHeld(removal, member.stake()))))
                .collect(Collectors.toSet());
    }

    /** The number of addresses that a removal holds. */
    long heldBy(Removal removal) {
        return removal.members.stream()
                .filter(member -> isHeld(removal, member.stake()))
                .map(Member::cell)
                .distinct()
                .count();
    }

    void writeBegins(int pool, Set<Integer> removed, Set<Integer> added) {
        for (Stake stake : stakes) {
            if (stake.pool() == pool) {
                Set<Integer> excused = of(stake, removed);
                excused.removeIf(address -> !isExcused(new Member(stake, address)));
                uncounted.put(stake, excused);
            }
        }
        inProgress.put(pool, new Going(removed, added));
    }

    void writeEnded(int pool) {
        inProgress.remove(pool);
        uncounted.keySet().removeIf(stake -> stake.pool() == pool);
    }

    /** A write was seen to have succeeded. */
    void written(Instant time, int pool, Set<Integer> removed, Set<Integer> added, Set<Integer> holds) {
        now = time;
        List<Shrunk> shrunk = new ArrayList<>();
        for (Stake stake : stakes) {
            if (stake.pool() == pool) {
                Set<Integer> gone = of(stake, removed);
                int excused = (int) gone.stream()
                        .filter(address -> isExcused(new Member(stake, address)))
                        .count();
                int by = gone.size() - of(stake, added).size();
                shrunk.add(new Shrunk(now, stake, by, by > 0 ? Math.max(0, by - excused) : by));
            }
        }
        past.addAll(shrunk);
        removals.forEach(removal -> removal.members.removeIf(
                member -> member.stake().pool() == pool && removed.contains(member.address())));
        writeEnded(pool);
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
        return !removal.isLetThrough && !removal.members.isEmpty() && heldBy(removal) == 0;
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
     * Whether each namespace of the pool loses no more than the share by what was written within the window and what is
     * being written, with what waits to be added; too small ones always do.
     */
    boolean isWithinShare(int pool) {
        return stakes.stream()
                .filter(stake -> stake.pool() == pool)
                .map(Stake::namespace)
                .allMatch(this::isWithinShare);
    }

    private boolean isWithinShare(String namespace) {
        int lost = 0;
        int all = 0;
        for (Stake stake : stakes) {
            if (stake.namespace().equals(namespace)) {
                Set<Integer> writing = of(
                        stake,
                        inProgress
                                .getOrDefault(stake.pool(), new Going(Set.of(), Set.of()))
                                .removed());
                writing.removeAll(uncounted.getOrDefault(stake, Set.of()));
                lost += Math.max(
                        0,
                        shrunk(stake)
                                + writing.size()
                                - of(stake, added(stake.pool())).size());
                all += sizeBefore(stake);
            }
        }
        return lost < MIN_ADDRESSES || !exceeds(lost, all);
    }
}
