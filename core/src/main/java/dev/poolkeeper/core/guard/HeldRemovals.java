package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.guard.SafetyBrake.BrakedRemoval;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The removals that the brake holds, or has let through but that are not done yet. Guarded by the brake. */
final class HeldRemovals {

    private static final Logger log = LoggerFactory.getLogger(SafetyBrake.class);

    /** Oldest first. */
    private final List<HeldRemoval> all = new ArrayList<>();

    private Set<String> passed = Set.of();
    private Set<String> agreed = Set.of();

    void begin(HeldRemoval removal) {
        all.add(removal);
    }

    void clear() {
        all.clear();
    }

    /** Forgets those of which no address is to be removed any longer. */
    void forgetDone() {
        held().stream()
                .filter(HeldRemoval::isEmpty)
                .forEach(removal ->
                        log.atInfo().addKeyValue("id", removal.begun.id()).log("Held removal is no longer wanted"));
        all.removeIf(HeldRemoval::isEmpty);
    }

    /** Those that are not let through, oldest first. */
    List<HeldRemoval> held() {
        return all.stream().filter(removal -> !removal.isLetThrough()).toList();
    }

    /** Returns whether any was let through. */
    boolean letThroughDue(Instant now) {
        List<HeldRemoval> due =
                held().stream().filter(removal -> isDue(removal, now)).toList();
        for (HeldRemoval removal : due) {
            removal.letThrough();
            log.atWarn()
                    .addKeyValue("id", removal.begun.id())
                    .log(
                            agreed.contains(removal.begun.id())
                                    ? "Held removal was approved"
                                    : "Hold is over; letting the removal through");
        }
        return !due.isEmpty();
    }

    boolean isDue(HeldRemoval removal, Instant now) {
        return agreed.contains(removal.begun.id()) || !removal.begun.until().isAfter(now);
    }

    /** See {@link SafetyBrake#agree}. */
    void agree(Set<String> ids) {
        if (ids.equals(passed)) {
            return;
        }
        passed = Set.copyOf(ids);
        agreed = new HashSet<>(ids);
        if (ids.contains(SafetyBrake.ALL)) {
            describe().forEach(removal -> agreed.add(removal.id()));
        }
    }

    /** Those that hold an address now, oldest first. */
    List<BrakedRemoval> describe() {
        return all.stream()
                .map(HeldRemoval::describe)
                .filter(removal -> removal.removed() > 0)
                .toList();
    }
}
