package dev.poolkeeper.core.keeper;

import dev.poolkeeper.core.endpoints.LocalServices;
import dev.poolkeeper.core.endpoints.WantedChanges;
import dev.poolkeeper.core.known.KnownPools;
import dev.poolkeeper.core.tick.ChangeQueuer;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import org.jspecify.annotations.Nullable;

/**
 * Passes changes on to the queue while this process leads. A standby knows what is wanted all the same, and queues what
 * differs once it leads. A pool that is adopted while it is known to hold what is wanted needs no operation.
 */
final class LeadersQueue implements WantedChanges {

    private final ChangeQueuer queuer;
    private final KnownPools known;
    private volatile boolean leading;
    private volatile boolean listingIsFresh;
    private @Nullable LocalServices services;

    LeadersQueue(ChangeQueuer queuer, KnownPools known) {
        this.queuer = queuer;
        this.known = known;
    }

    /** @param index who else wants something in a pool; to be told before the first change */
    void serve(LocalServices index) {
        services = index;
    }

    void lead(boolean now) {
        leading = now;
    }

    /** Runs what follows a listing, while it may be relied on. */
    void afterListing(Runnable task) {
        listingIsFresh = true;
        try {
            task.run();
        } finally {
            listingIsFresh = false;
        }
    }

    @Override
    public void adopted(ServiceName service, PoolKey pool, AddressSet wanted) {
        if (leading && !(listingIsFresh && holds(service, pool, wanted))) {
            queuer.adopted(service, pool, wanted);
        }
    }

    private boolean holds(ServiceName service, PoolKey pool, AddressSet wanted) {
        LocalServices others = services;
        AddressSet all = others == null ? wanted : wanted.union(others.wantedByOthers(service, pool));
        return known.find(pool).filter(it -> it.addresses().equals(all)).isPresent();
    }

    @Override
    public void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted) {
        if (leading) {
            queuer.changed(service, pool, before, wanted);
        }
    }

    @Override
    public void retriggered(ServiceName service, PoolKey pool, AddressSet wanted) {
        if (leading) {
            queuer.retriggered(service, pool, wanted);
        }
    }

    @Override
    public void repeated(ServiceName service, PoolKey pool, AddressSet wanted) {
        if (leading) {
            queuer.repeated(service, pool, wanted);
        }
    }

    @Override
    public void left(ServiceName service, PoolKey pool) {
        queuer.left(service, pool);
    }
}
