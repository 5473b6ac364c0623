package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.Want;
import dev.poolkeeper.core.cluster.Wants;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.util.function.Function;

/**
 * Keeps a shared pool from being emptied for one Service while another Service's wanted addresses are missing from it.
 * Those of a paused Service do not count: they would not be added until its pause ends. As thread-safe as its argument.
 */
public final class SharedPools implements Guard {

    private final Function<PoolKey, Wants> wants;

    /** @param wants what the Services of a pool want in it; quick */
    public SharedPools(Function<PoolKey, Wants> wants) {
        this.wants = wants;
    }

    @Override
    public Verdict judge(Plan plan) {
        if (!plan.planned().isEmpty()) {
            return Verdict.GO;
        }
        Wants all = wants.apply(plan.pool());
        AddressSet wanted = AddressSet.empty();
        for (ServiceName service : plan.services()) {
            wanted = wanted.union(wantedByOthers(service, all));
        }
        return wanted.isEmpty() ? Verdict.GO : new Verdict.GoWithLess(wanted, new HoldCause.OthersMissing());
    }

    private static AddressSet wantedByOthers(ServiceName service, Wants all) {
        AddressSet wanted = AddressSet.empty();
        for (Want other : all.all()) {
            if (!other.service().equals(service) && !other.paused()) {
                wanted = wanted.union(other.wanted());
            }
        }
        return wanted;
    }
}
