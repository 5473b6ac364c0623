package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.tick.UpdateGuard;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import java.util.List;

/** Several guards as one: what one of them holds back is held back. As thread-safe as they are. */
public final class Guards implements UpdateGuard {

    private final List<UpdateGuard> guards;

    /** @param guards asked in this order, until one holds back */
    public Guards(UpdateGuard... guards) {
        this.guards = List.of(guards);
    }

    @Override
    public boolean admits(OperationGroup group) {
        return guards.stream().allMatch(guard -> guard.admits(group));
    }

    @Override
    public AddressSet restrain(OperationGroup group, BackendPool read, AddressSet folded) {
        AddressSet allowed = folded;
        for (UpdateGuard guard : guards) {
            if (!allowed.equals(read.addresses())) {
                allowed = guard.restrain(group, read, allowed);
            }
        }
        return allowed;
    }
}
