package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import org.jspecify.annotations.Nullable;

/** Tells growing sets, first complete sets and later changes apart. */
abstract class ChangesByKind implements ClusterChanges {

    @Override
    public void wants(@Nullable Want before, Want now) {
        AddressSet last = before == null ? AddressSet.empty() : before.wanted();
        boolean differs = !now.wanted().equals(last);
        if (now.adopted()) {
            if (before == null || !before.adopted()) {
                adopted(now.service(), now.pool(), now.wanted());
            } else if (differs) {
                changed(now.service(), now.pool(), last, now.wanted());
            }
        } else if (now.seen() && (before == null || !before.seen() || differs)) {
            grew(now.service(), now.pool(), now.wanted().minus(last), now.wanted());
        }
    }

    abstract void grew(ServiceName service, PoolKey pool, AddressSet added, AddressSet wanted);

    abstract void adopted(ServiceName service, PoolKey pool, AddressSet wanted);

    abstract void changed(ServiceName service, PoolKey pool, AddressSet before, AddressSet wanted);
}
