package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;

/**
 * Keeps a shared pool from being emptied for one Service while another Service's wanted addresses are missing from it
 * or not known yet. As thread-safe as the view.
 */
public final class SharedPools implements Guard {

    private static final Held UNDECIDED = new Held(
            Held.By.SHARED_POOL,
            Optional.empty(),
            "The pool is shared, and another Service references a node that has not been seen yet.",
            "The pool is emptied once that node has been seen.");
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
            if (view.isUndecidedForOthers(service, plan.pool())) {
                return new Verdict.Hold(UNDECIDED);
            }
            wanted = wanted.union(view.wantedByOthers(service, plan.pool()));
        }
        return wanted.isEmpty() ? Verdict.GO : new Verdict.GoWithLess(wanted, WANTED);
    }
}
