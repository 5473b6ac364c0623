package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;

/**
 * Keeps a shared pool from being emptied for one Service while another Service's wanted addresses are missing from it.
 * As thread-safe as the view.
 */
public final class SharedPools implements Guard {

    private static final Held WANTED = new Held(
            Held.By.SHARED_POOL,
            Optional.empty(),
            "The pool is shared, and another Service's addresses have not been added yet.",
            "This Service's addresses are removed once those have been added.");

    private final ClusterView view;

    public SharedPools(ClusterView view) {
        this.view = view;
    }

    @Override
    public Verdict judge(Plan plan) {
        if (!plan.planned().isEmpty()) {
            return Verdict.GO;
        }
        AddressSet wanted = AddressSet.empty();
        for (ServiceName service : plan.services()) {
            wanted = wanted.union(view.wantedByOthers(service, plan.pool()));
        }
        return wanted.isEmpty() ? Verdict.GO : new Verdict.GoWithLess(wanted, WANTED);
    }
}
