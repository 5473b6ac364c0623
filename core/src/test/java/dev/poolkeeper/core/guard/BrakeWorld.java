package dev.poolkeeper.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.guard.BrakeModel.Cell;
import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.fake.FakeTime;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Five pools of eight addresses behind a brake, whose verdicts are compared with {@link BrakeModel}. */
final class BrakeWorld {

    static final int POOLS = 5;
    private static final Set<Integer> ALL = IntStream.rangeClosed(1, 8).boxed().collect(Collectors.toSet());

    private final FakeTime time = new FakeTime();
    private final Map<Integer, Set<Integer>> known = new HashMap<>();
    private final Map<Integer, Set<Integer>> actual = new HashMap<>();
    private final Map<Integer, Set<Integer>> wanted = new HashMap<>();
    private final Set<Integer> paused = new HashSet<>();
    private final Map<Integer, Set<Integer>> inProgress = new HashMap<>();
    private final BrakeModel model = new BrakeModel(time.instant(), POOLS * ALL.size());
    private final BrakeSubject brake;
    boolean wasHolding;
    boolean wasAgreed;
    boolean wentWithLess;

    BrakeWorld(BrakeSubject.Maker maker) {
        brake = maker.make(this::totals, time);
        for (int pool = 0; pool < POOLS; pool++) {
            known.put(pool, ALL);
            actual.put(pool, ALL);
            wanted.put(pool, ALL);
        }
    }

    private SafetyBrake.Totals totals() {
        return new SafetyBrake.Totals(
                total(),
                isAnyWanted(),
                known.keySet().stream()
                        .filter(pool -> !known.get(pool).isEmpty())
                        .map(BrakeWorld::key)
                        .collect(Collectors.toSet()));
    }

    private int total() {
        return known.values().stream().mapToInt(Set::size).sum();
    }

    private boolean isAnyWanted() {
        return wanted.values().stream().anyMatch(addresses -> !addresses.isEmpty());
    }

    static PoolKey key(int pool) {
        return PoolKey.of("lb", "p" + pool);
    }

    private static AddressSet set(Collection<Integer> addresses) {
        return AddressSet.of(
                addresses.stream().map(address -> "10.0.0." + address).toArray(String[]::new));
    }

    private Plan plan(int pool) {
        return new Plan(key(pool), List.of(), set(known.get(pool)), set(wanted.get(pool)));
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
        return cells(pool, minus(known.get(pool), wanted.get(pool)));
    }

    void take(BrakeStep step) {
        switch (step) {
            case BrakeStep.Want(int pool, Set<Integer> addresses) ->
                wanted.put(pool, minus(addresses, minus(known.get(pool), actual.get(pool))));
            case BrakeStep.WantNothing() -> wanted.replaceAll((pool, addresses) -> Set.of());
            case BrakeStep.Pause(int pool, boolean now) -> {
                paused.remove(pool);
                if (now) {
                    paused.add(pool);
                }
            }
            case BrakeStep.Advance(int seconds) -> time.advance(Duration.ofSeconds(seconds));
            case BrakeStep.Tick(Set<Integer> reached, BrakeStep.Want meanwhile) -> tick(reached, meanwhile);
            case BrakeStep.Land(Set<Integer> unknown) -> land(unknown);
            case BrakeStep.Agree(int place) -> {
                List<BrakedRemoval> braked = brake.braked();
                if (place < braked.size()) {
                    brake.agree(braked.get(place).id());
                    model.agree(braked.get(place).id());
                    wasAgreed = true;
                }
            }
        }
    }

    private void tick(Set<Integer> reached, BrakeStep.Want meanwhile) {
        List<Integer> all = IntStream.range(0, POOLS).boxed().toList();
        List<Integer> release =
                all.stream().filter(pool -> !paused.contains(pool)).toList();
        brake.tickBegins(
                all.stream().map(this::plan).toList(),
                release.stream().map(this::plan).toList());
        model.tick(time.instant(), cellsOf(all), cellsOf(release), known, isAnyWanted());
        agreeOnIds();
        take(meanwhile);
        for (int pool : release) {
            if (reached.contains(pool) && !inProgress.containsKey(pool)) {
                update(pool);
            }
        }
    }

    private Set<Cell> cellsOf(List<Integer> pools) {
        return pools.stream().flatMap(pool -> toBeRemoved(pool).stream()).collect(Collectors.toSet());
    }

    private void update(int pool) {
        Set<Cell> gone = cells(pool, minus(known.get(pool), actual.get(pool)));
        known.put(pool, actual.get(pool));
        brake.wasRead(plan(pool));
        if (!gone.isEmpty()) {
            model.written(time.instant(), gone, total());
        }
        Plan plan = plan(pool);
        Verdict verdict = brake.judge(plan);
        model.judged(time.instant(), toBeRemoved(pool), known, isAnyWanted());
        agreeOnIds();

        Set<Cell> held = model.heldOf(toBeRemoved(pool));
        Set<Integer> planned = new HashSet<>(wanted.get(pool));
        held.forEach(cell -> planned.add(cell.address()));
        AddressSet allowed = verdict instanceof Verdict.GoWithLess less ? less.planned() : plan.planned();
        assertThat(allowed).as("what goes of pool %d", pool).isEqualTo(set(planned));
        assertThat(plan.planned().minus(allowed)).as("held additions").isEmpty();
        wentWithLess |= !held.isEmpty();
        if (!planned.equals(known.get(pool))) {
            write(pool, planned);
        }
    }

    private void write(int pool, Set<Integer> planned) {
        Set<Cell> before = model.freelyRemovedOrInProgress(time.instant());
        inProgress.put(pool, planned);
        brake.writeBegins(new Plan(key(pool), List.of(), set(known.get(pool)), set(planned)));
        model.writeBegins(cells(pool, minus(known.get(pool), planned)));
        Set<Cell> now = model.freelyRemovedOrInProgress(time.instant());
        if (!now.equals(before)) {
            assertThat(now).hasSizeLessThanOrEqualTo(model.share(time.instant()));
        }
    }

    private void land(Set<Integer> unknown) {
        inProgress.forEach((pool, planned) -> {
            Plan plan = new Plan(key(pool), List.of(), set(known.get(pool)), set(planned));
            actual.put(pool, planned);
            Set<Integer> gone = minus(known.get(pool), planned);
            boolean isWantedAgain = !Collections.disjoint(gone, wanted.get(pool)); // the next update puts it back
            if (!unknown.contains(pool) || !plan.additions().isEmpty() || isWantedAgain) {
                Set<Cell> removed = cells(pool, gone);
                known.put(pool, planned);
                brake.wasWritten(plan);
                model.written(time.instant(), removed, total());
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
                .filter(removal -> !removal.isLetThrough && !removal.cells.isEmpty())
                .toList();
        assertThat(braked).hasSameSizeAs(expected);
        for (int i = 0; i < braked.size(); i++) {
            BrakeModel.Removal removal = expected.get(i);
            if (removal.id.isEmpty()) {
                removal.id = braked.get(i).id();
            }
            assertThat(braked.get(i).id()).isEqualTo(removal.id);
            assertThat(braked.get(i).since()).isEqualTo(removal.since);
            assertThat(braked.get(i).removed()).isEqualTo(removal.cells.size());
            wasHolding = true;
        }
    }
}
