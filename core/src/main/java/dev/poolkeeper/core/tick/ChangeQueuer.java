package dev.poolkeeper.core.tick;

import dev.poolkeeper.core.endpoints.WantedChanges;
import dev.poolkeeper.core.operation.Operation;
import dev.poolkeeper.core.queue.OperationQueue;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;

/** Puts changes of the wanted addresses into the queue, as the queue's model makes operations of them. */
public final class ChangeQueuer implements WantedChanges {

    private final OperationQueue queue;

    public ChangeQueuer(OperationQueue queue) {
        this.queue = queue;
    }

    /** In either model the first thing known of a pool is its whole wanted set. */
    @Override
    public void adopted(ServiceName service, PoolKey pool, AddressSet wanted) {
        queue.add(new Operation.Replace(service, pool, wanted));
    }

    @Override
    public void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
        queue.model().operationsFor(service, pool, before, wanted).forEach(queue::add);
    }

    @Override
    public void retriggered(ServiceName service, PoolKey pool, AddressSet wanted) {
        if (queue.model().isRetriggeredByEndpointEvents()) {
            queue.add(new Operation.Replace(service, pool, wanted));
        }
    }

    @Override
    public void repeated(ServiceName service, PoolKey pool, AddressSet wanted) {
        queue.add(new Operation.Replace(service, pool, wanted));
    }

    @Override
    public void left(ServiceName service, PoolKey pool) {
        queue.remove(service, pool);
    }
}
