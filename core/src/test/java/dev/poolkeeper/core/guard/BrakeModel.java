package dev.poolkeeper.core.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The safety brake's promises on plain sets, keeping the whole history. Shares no code with the brake. */
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
        String id = "";
        boolean isLetThrough;

        Removal(Instant since, Set<Cell> cells) {
            this.since = since;
            this.cells = cells;
        }
    }

    private record Removed(Instant at, Cell cell, boolean isFree) {}

    final List<Removal> removals = new ArrayList<>();
    private final List<Removed> past = new ArrayList<>();

    /** The addresses of all pools, from each instant on. */
    private final TreeMap<Instant, Integer> totals = new TreeMap<>();

    private Set<Cell> free = new HashSet<>();
    private final Set<Cell> inProgress = new HashSet<>();
    private String agreed = "none";

    BrakeModel(Instant start, int total) {
        totals.put(start.minus(Duration.ofDays(1)), total);
    }

    void agree(String id) {
        agreed = id;
    }

    void tick(
            Instant now,
            Set<Cell> toBeRemoved,
            Set<Cell> release,
            Map<Integer, Set<Integer>> held,
            boolean isAnyWanted) {
        removals.forEach(removal -> removal.cells.retainAll(toBeRemoved));
        removals.removeIf(removal -> removal.cells.isEmpty());
        free = new HashSet<>(release);
        removals.forEach(removal -> free.removeAll(removal.cells));
        holdIfTooMuch(now, held, isAnyWanted);
        letThrough(now);
    }

    void judged(Instant now, Set<Cell> toBeRemoved, Map<Integer, Set<Integer>> held, boolean isAnyWanted) {
        Set<Cell> unknown = new HashSet<>(toBeRemoved);
        unknown.removeAll(free);
        removals.forEach(removal -> unknown.removeAll(removal.cells));
        if (!unknown.isEmpty()) {
            free.addAll(unknown);
            holdIfTooMuch(now, held, isAnyWanted);
        }
        letThrough(now);
    }

    private void holdIfTooMuch(Instant now, Map<Integer, Set<Integer>> held, boolean isAnyWanted) {
        boolean isHolding = removals.stream().anyMatch(removal -> !removal.isLetThrough);
        if (!free.isEmpty() && (isHolding || isBeyondShare(now) || isAllLost(now, held, isAnyWanted))) {
            removals.add(new Removal(now, free));
            free = new HashSet<>();
        }
    }

    private boolean isBeyondShare(Instant now) {
        Set<Cell> counted = freelyRemovedOrInProgress(now);
        counted.addAll(free);
        int atStart = totals.floorEntry(now.minus(WINDOW)).getValue();
        return atStart >= MIN_ADDRESSES && counted.size() * 100 > atStart * PERCENT;
    }

    private boolean isAllLost(Instant now, Map<Integer, Set<Integer>> held, boolean isAnyWanted) {
        Set<Integer> pools =
                inWindow(now).stream().map(removed -> removed.cell().pool()).collect(Collectors.toSet());
        held.forEach((pool, addresses) -> {
            if (!addresses.isEmpty()) {
                pools.add(pool);
            }
        });
        return !isAnyWanted && pools.size() >= 2;
    }

    private List<Removed> inWindow(Instant now) {
        Instant begin = now.minus(WINDOW);
        return past.stream().filter(removed -> removed.at().isAfter(begin)).toList();
    }

    /** Addresses removed within the window without having been held and released. */
    private Set<Cell> freelyRemoved(Instant now) {
        return inWindow(now).stream().filter(Removed::isFree).map(Removed::cell).collect(Collectors.toSet());
    }

    /** The number of addresses that may be removed without a hold within the window that ends now. */
    int share(Instant now) {
        int atStart = totals.floorEntry(now.minus(WINDOW)).getValue();
        return atStart < MIN_ADDRESSES ? Integer.MAX_VALUE : atStart * PERCENT / 100;
    }

    private void letThrough(Instant now) {
        for (Removal removal : removals) {
            removal.isLetThrough |=
                    removal.id.equals(agreed) || !removal.since.plus(HOLD).isAfter(now);
        }
    }

    /** The held ones of these. */
    Set<Cell> heldOf(Collection<Cell> cells) {
        return cells.stream()
                .filter(cell ->
                        removals.stream().anyMatch(removal -> !removal.isLetThrough && removal.cells.contains(cell)))
                .collect(Collectors.toSet());
    }

    private boolean isFree(Cell cell) {
        return removals.stream().noneMatch(removal -> removal.isLetThrough && removal.cells.contains(cell));
    }

    void writeBegins(Set<Cell> removed) {
        removed.stream().filter(this::isFree).forEach(inProgress::add);
    }

    void writeEnded(int pool) {
        inProgress.removeIf(cell -> cell.pool() == pool);
    }

    /** Removals without hold and release: within the window, or by writes in progress. */
    Set<Cell> freelyRemovedOrInProgress(Instant now) {
        Set<Cell> cells = freelyRemoved(now);
        cells.addAll(inProgress);
        return cells;
    }

    void written(Instant now, Set<Cell> removed, int total) {
        removed.forEach(cell -> past.add(new Removed(now, cell, isFree(cell))));
        removals.forEach(removal -> removal.cells.removeAll(removed));
        free.removeAll(removed);
        totals.put(now, total);
    }
}
