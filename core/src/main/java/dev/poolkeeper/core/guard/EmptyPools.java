package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.operation.PendingOperation;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.tick.UpdateGuard;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;

/**
 * Keeps a shared pool from being emptied for one Service while another wants something in it that is on its way, or
 * while it is not known yet what another wants. As thread-safe as the Services.
 */
public final class EmptyPools implements UpdateGuard {

    private final LocalServices services;

    public EmptyPools(LocalServices services) {
        this.services = services;
    }

    @Override
    public AddressSet restrain(OperationGroup group, BackendPool read, AddressSet folded) {
        if (!folded.isEmpty()) {
            return folded;
        }
        AddressSet wanted = AddressSet.empty();
        for (PendingOperation pending : group.operations()) {
            Operation operation = pending.operation();
            if (services.isUndecidedForOthers(operation.service(), operation.pool())) {
                return read.addresses();
            }
            wanted = wanted.union(services.wantedByOthers(operation.service(), operation.pool()));
        }
        return wanted;
    }
}
