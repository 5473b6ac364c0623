package dev.poolkeeper.core.pool;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.IpAddress;
import dev.poolkeeper.ports.ServiceName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shortens operations that wait for one pool by what later ones of the same Service make redundant, so that their
 * number depends on the addresses in them, not on how often they changed. The plan stays the same, whatever the pool
 * holds, other Services want or guards leave out:
 *
 * <ul>
 *   <li>adding an address has no effect on the plan if it is added, or set, again later;
 *   <li>removing an address has none if it is removed again later;
 *   <li>of a replacement that is replaced later only the addresses matter that the later one does not set, since others
 *       may want these.
 * </ul>
 *
 * <p>Only operations with the same retry state, which therefore succeed and fail together, are compared. The first of
 * each stays as it is, because the order of updates and what is reported depend on it.
 */
final class Redundant {

    private final Map<Fate, Later> laters = new HashMap<>();

    /** Operations with the same one end together. */
    private record Fate(
            ServiceName service,
            int retryCount,
            @Nullable Instant nextEligibleAt,
            boolean retryReported,
            boolean takenUp) {

        static Fate of(PendingOperation operation) {
            return new Fate(
                    operation.operation().service(),
                    operation.retryCount(),
                    operation.nextEligibleAt(),
                    operation.retryReported(),
                    operation.notTakenUp() == null);
        }
    }

    /** What later operations do. */
    private static final class Later {

        private final Set<IpAddress> set = new HashSet<>();
        private final Set<IpAddress> removed = new HashSet<>();
        private boolean replaced;
    }

    private Redundant() {}

    /** @param operations in order of arrival; the cost is proportional to the addresses in them */
    static List<PendingOperation> without(List<PendingOperation> operations) {
        BitSet firsts = new BitSet();
        Set<Fate> seen = new HashSet<>();
        for (int i = 0; i < operations.size(); i++) {
            firsts.set(i, seen.add(Fate.of(operations.get(i))));
        }
        Redundant redundant = new Redundant();
        List<PendingOperation> rest = new ArrayList<>();
        for (int i = operations.size() - 1; i >= 0; i--) {
            PendingOperation operation = operations.get(i);
            if (firsts.get(i)) {
                rest.add(operation);
            } else {
                Operation shorter = redundant.shortened(operation);
                if (!shorter.isNothing()) {
                    rest.add(operation.withOperation(shorter));
                }
            }
        }
        Collections.reverse(rest);
        return rest;
    }

    private Operation shortened(PendingOperation pending) {
        Later later = laters.computeIfAbsent(Fate.of(pending), fate -> new Later());
        Operation operation = pending.operation();
        return switch (operation) {
            case Operation.Add(ServiceName service, var pool, AddressSet addresses) ->
                new Operation.Add(service, pool, onlyNow(addresses, later.set));
            case Operation.Remove(ServiceName service, var pool, AddressSet addresses) ->
                new Operation.Remove(service, pool, onlyNow(addresses, later.removed));
            case Operation.Replace(ServiceName service, var pool, AddressSet addresses) -> {
                AddressSet rest = onlyNow(addresses, later.set);
                boolean isReplaced = later.replaced;
                later.replaced = true;
                yield isReplaced ? new Operation.Add(service, pool, rest) : operation;
            }
            case Operation.Sync sync -> sync;
        };
    }

    /** The addresses that are not among the later ones, to which they are added. */
    private static AddressSet onlyNow(AddressSet addresses, Set<IpAddress> later) {
        List<IpAddress> rest = new ArrayList<>();
        for (IpAddress address : addresses) {
            if (later.add(address)) {
                rest.add(address);
            }
        }
        return rest.size() == addresses.size() ? addresses : AddressSet.of(rest);
    }
}
