package dev.poolkeeper.core.merge;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.ports.AddressSet;
import java.util.List;

/**
 * Folds the operations of one pool, in their order, over what the pool holds (design document, <em>Merge Rule</em>).
 *
 * <p>Services that share a pool never evict each other: what another local Service of the pool wants at the moment of
 * folding stays in it, if it is there.
 */
public final class MergeRule {

    private MergeRule() {}

    /**
     * What the pool shall hold. Costs in proportion to the addresses.
     *
     * @param held what it holds
     * @param operations in order of arrival, all of one pool
     * @param services who else wants something in the pool
     */
    public static AddressSet fold(AddressSet held, List<PendingOperation> operations, LocalServices services) {
        AddressSet folded = held;
        for (PendingOperation pending : operations) {
            Operation operation = pending.operation();
            folded = switch (operation) {
                case Operation.Add add -> folded.union(add.addresses());
                case Operation.Remove remove -> folded.minus(remove.addresses().minus(others(remove, services)));
                case Operation.Replace replace -> {
                    AddressSet wanted = wanted(replace, services);
                    yield folded.intersect(others(replace, services).union(wanted))
                            .union(wanted);
                }
            };
        }
        return folded;
    }

    /** A whole set may have been superseded while its operation waited for its turn: what is wanted now goes. */
    private static AddressSet wanted(Operation.Replace replace, LocalServices services) {
        return services.wantedNow(replace.service(), replace.pool()).orElse(replace.addresses());
    }

    private static AddressSet others(Operation operation, LocalServices services) {
        return services.wantedByOthers(operation.service(), operation.pool());
    }
}
