package dev.poolkeeper.core.operation;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;

/**
 * The two ways from a change of the wanted addresses to operations. Everything else (queue, tick, retries) is the same
 * code.
 */
public enum UpdateModel {
    /** One operation a change: what left, then what came (the design document's model, today's behaviour in Go). */
    DIFF {
        @Override
        public List<Operation> operationsFor(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            return List.of(
                    new Operation.Remove(service, pool, before.minus(wanted)),
                    new Operation.Add(service, pool, wanted.minus(before)));
        }
    },

    /** The full wanted set, one pending operation for each Service and pool (the design document's stronger model). */
    DESIRED_STATE {
        @Override
        public List<Operation> operationsFor(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
            return List.of(new Operation.Replace(service, pool, wanted));
        }
    };

    /** What to queue, in order; operations that are nothing among them. */
    public abstract List<Operation> operationsFor(
            ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted);

    /** Whether a pending operation gives way to a newer one of the same Service and pool. */
    public boolean supersedes() {
        return this == DESIRED_STATE;
    }

    /** Whether an update that found nothing to write is told only to those who were told of a retry. */
    public boolean isSilentWhenUnchanged() {
        return this == DESIRED_STATE;
    }

    /** Whether an attempt that was refused at the local gate, and so never sent, counts as a retry. */
    public boolean countsUnsentAttempts() {
        return this == DIFF;
    }

    /** Whether an endpoint event after a Failed event queues the pool again although nothing changed. */
    public boolean isRetriggeredByEndpointEvents() {
        return this == DESIRED_STATE;
    }
}
