package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.guard.BrakeModel.Cell;
import dev.poolkeeper.core.guard.BrakeModel.Stake;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Five pools of eight addresses behind a brake, whose verdicts are compared with {@link BrakeModel}: three of one
 * namespace, which is large enough to be judged by itself, and two of namespaces that are not. That namespace and the
 * last one have the last pool together.
 */
final class BrakeWorld {

    private static final List<List<String>> NAMESPACES =
            List.of(List.of("shop"), List.of("shop"), List.of("shop"), List.of("bank"), List.of("toys", "shop"));
    static final int POOLS = NAMESPACES.size();
    static final int SHARED = POOLS - 1;
    private static final Set<Integer> ALL = IntStream.rangeClosed(1, 8).boxed().collect(Collectors.toSet());

    private final FakeTime time = new FakeTime();
    private final Map<Integer, Set<Integer>> known = new HashMap<>();
    private final Map<Integer, Set<Integer>> actual = new HashMap<>();
    private final Map<Stake, Set<Integer>> wants = new HashMap<>();
    private final Set<Integer> paused = new HashSet<>();
    private final Map<Integer, Set<Integer>> inProgress = new HashMap<>();
    private final BrakeModel model = new BrakeModel(time.instant(), NAMESPACES);
    private final BrakeSubject brake;

    /** When each address was first held, while it is to be removed without a break. */
    private final Map<Cell, Instant> heldSince = new HashMap<>();

    boolean wasHolding;
    boolean wasAgreed;
    boolean wentWithLess;
    boolean wasReplaced;
    boolean endedEarly;
    boolean wasLetThrough;

    BrakeWorld(BrakeSubject.Maker maker) {
        brake = maker.make(this::seen, time);
        for (int pool = 0; pool < POOLS; pool++) {
            known.put(pool, ALL);
            actual.put(pool, ALL);
            for (String namespace : NAMESPACES.get(pool)) {
                wants.put(
                        new Stake(pool, namespace),
                        namespace.equals(NAMESPACES.get(pool).get(0)) ? ALL : Set.of());
            }
        }
    }

    private Map<PoolKey, BrakeSubject.Seen> seen() {
        Map<PoolKey, BrakeSubject.Seen> pools = new HashMap<>();
        known.forEach((pool, addresses) -> {
            Map<String, AddressSet> wanted = new TreeMap<>();
            wants.forEach((stake, its) -> {
                if (stake.pool() == pool) {
                    wanted.put(stake.namespace(), set(its));
                }
            });
            pools.put(key(pool), new BrakeSubject.Seen(wanted, set(addresses)));
        });
        return pools;
    }

    private Set<Integer> wanted(int pool) {
        return wants.entrySet().stream()
                .filter(entry -> entry.getKey().pool() == pool)
                .flatMap(entry -> entry.getValue().stream())
                .collect(Collectors.toSet());
    }

    static PoolKey key(int pool) {
        return PoolKey.of("lb", "p" + pool);
    }

    private static AddressSet set(Collection<Integer> addresses) {
        return AddressSet.of(
                addresses.stream().map(address -> "10.0.0." + address).toArray(String[]::new));
    }

    private Plan plan(int pool) {
        return new Plan(key(pool), List.of(), set(known.get(pool)), set(wanted(pool)));
    }

    private BrakeModel.Going going(int pool) {
        return new BrakeModel.Going(minus(known.get(pool), wanted(pool)), minus(wanted(pool), known.get(pool)));
    }

    private static Set<Cell> cells(int pool, Collection<Integer> addresses) {
        return addresses.stream().map(address -> new Cell(pool, address)).collect(Collectors.toSet());
    }

    private static Set<Integer> minus(Set<Integer> some, Set<Integer> others) {
        Set<Integer> rest = new HashSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    private Set<Cell> toBeRemoved(int pool) {
        return cells(pool, minus(known.get(pool), wanted(pool)));
    }

    void take(BrakeStep step) {
        switch (step) {
            case BrakeStep.Want(int pool, boolean second, Set<Integer> addresses) -> {
                List<String> namespaces = NAMESPACES.get(pool);
                Stake stake = new Stake(pool, namespaces.get(second ? namespaces.size() - 1 : 0));
                wants.put(stake, minus(addresses, minus(known.get(pool), actual.get(pool))));
                if (pool == SHARED) {
                    heldSince.keySet().removeAll(cells(pool, addresses)); // its loss may be another namespace's now
                }
            }
            case BrakeStep.WantNothing() -> wants.replaceAll((stake, addresses) -> Set.of());
            case BrakeStep.Pause(int pool, boolean now) -> {
                paused.remove(pool);
                if (now) {
                    paused.add(pool);
                }
            }
            case BrakeStep.Advance(int seconds) -> time.advance(Duration.ofSeconds(seconds));
            case BrakeStep.Tick(Set<Integer> reached, BrakeStep.Want meanwhile) -> tick(reached, meanwhile);
            case BrakeStep.Land(Set<Integer> unknown) -> land(unknown);
            case BrakeStep.Agree(Set<Integer> places) -> agree(places);
        }
    }

    private void agree(Set<Integer> places) {
        agreeOnIds(); // what landed may have made the brake show one
        List<BrakedRemoval> braked = brake.braked();
        Set<String> ids = places.stream()
                .filter(place -> place < braked.size())
                .map(place -> braked.get(place).id())
                .collect(Collectors.toSet());
        if (!ids.isEmpty()) {
            brake.agree(ids);
            model.agree(ids);
            wasAgreed = true;
        }
    }

    private void tick(Set<Integer> reached, BrakeStep.Want meanwhile) {
        List<Integer> all = IntStream.range(0, POOLS).boxed().toList();
        List<Integer> release =
                all.stream().filter(pool -> !paused.contains(pool)).toList();
        Set<Cell> toBeRemoved =
                all.stream().flatMap(pool -> toBeRemoved(pool).stream()).collect(Collectors.toSet());
        heldSince.keySet().retainAll(toBeRemoved);
        brake.tickBegins(
                all.stream().map(this::plan).toList(),
                release.stream().map(this::plan).toList());
        model.tick(
                time.instant(),
                known,
                Map.copyOf(wants),
                toBeRemoved,
                release.stream().collect(Collectors.toMap(pool -> pool, this::going)));
        agreeOnIds();
        take(meanwhile);
        for (int pool : release) {
            if (reached.contains(pool) && !inProgress.containsKey(pool)) {
                update(pool);
            }
        }
    }

    private void update(int pool) {
        Set<Integer> gone = minus(known.get(pool), actual.get(pool));
        Set<Integer> come = minus(actual.get(pool), known.get(pool));
        known.put(pool, actual.get(pool));
        brake.wasRead(plan(pool));
        model.wasRead(time.instant(), pool, gone, come, known.get(pool));
        Plan plan = plan(pool);
        Verdict verdict = brake.judge(plan);
        model.judged(time.instant(), known, Map.copyOf(wants), pool, going(pool));
        agreeOnIds();

        Set<Cell> held = model.heldOf(toBeRemoved(pool));
        Set<Integer> planned = new HashSet<>(wanted(pool));
        held.forEach(cell -> planned.add(cell.address()));
        AddressSet allowed = verdict instanceof Verdict.GoWithLess less ? less.planned() : plan.planned();
        assertThat(allowed).as("what goes of pool %d", pool).isEqualTo(set(planned));
        assertThat(plan.planned().minus(allowed)).as("held additions").isEmpty();
        noLongerThanOneHold(pool, plan.removals(), allowed);
        wentWithLess |= !held.isEmpty();
        wasReplaced |= held.isEmpty()
                && !plan.removals().isEmpty()
                && plan.additions().size() >= plan.removals().size();
        if (!planned.equals(known.get(pool))) {
            write(pool, planned);
        }
    }

    /** Whatever happens to other addresses. */
    private void noLongerThanOneHold(int pool, AddressSet removals, AddressSet allowed) {
        for (int address : minus(known.get(pool), wanted(pool))) {
            boolean isHeld = removals.intersect(allowed).contains(IpAddress.of("10.0.0." + address));
            Cell cell = new Cell(pool, address);
            if (isHeld) {
                Instant since = heldSince.computeIfAbsent(cell, key -> time.instant());
                assertThat(time.instant()).as("how long %s is held", cell).isBefore(since.plus(BrakeModel.HOLD));
            }
        }
    }

    private void write(int pool, Set<Integer> planned) {
        boolean wasWithinShare = model.isWithinShare(pool);
        inProgress.put(pool, planned);
        brake.writeBegins(new Plan(key(pool), List.of(), set(known.get(pool)), set(planned)));
        model.writeBegins(pool, minus(known.get(pool), planned), minus(planned, known.get(pool)));
        if (wasWithinShare) {
            assertThat(model.isWithinShare(pool))
                    .as("pool %d stays within the share", pool)
                    .isTrue();
        }
    }

    private void land(Set<Integer> unknown) {
        inProgress.forEach((pool, planned) -> {
            Plan plan = new Plan(key(pool), List.of(), set(known.get(pool)), set(planned));
            actual.put(pool, planned);
            Set<Integer> gone = minus(known.get(pool), planned);
            boolean isWantedAgain = !Collections.disjoint(gone, wanted(pool)); // the next update puts it back
            if (!unknown.contains(pool) || !plan.additions().isEmpty() || isWantedAgain) {
                Set<Integer> added = minus(planned, known.get(pool));
                known.put(pool, planned);
                brake.wasWritten(plan);
                model.written(time.instant(), pool, gone, added, planned);
            }
            brake.writeEnded(key(pool));
            model.writeEnded(pool);
        });
        inProgress.clear();
    }

    /** The brake chooses the ids; the model determines their contents, start and order. */
    private void agreeOnIds() {
        List<BrakedRemoval> braked = brake.braked();
        List<BrakeModel.Removal> expected = model.removals.stream()
                .filter(removal -> model.heldBy(removal) > 0)
                .toList();
        assertThat(braked).hasSameSizeAs(expected);
        wasLetThrough |= model.removals.stream().anyMatch(removal -> removal.isLetThrough);
        endedEarly |= model.removals.stream().anyMatch(model::endedEarly);
        for (int i = 0; i < braked.size(); i++) {
            BrakeModel.Removal removal = expected.get(i);
            if (removal.id.isEmpty()) {
                removal.id = braked.get(i).id();
            }
            assertThat(braked.get(i).id()).isEqualTo(removal.id);
            assertThat(braked.get(i).since()).isEqualTo(removal.since);
            assertThat(braked.get(i).removed()).isEqualTo(model.heldBy(removal));
            wasHolding = true;
        }
    }
}
