package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.cluster.ClusterView;
import dev.poolkeeper.core.plan.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceName;
import java.util.Optional;

/**
 * Keeps a shared pool from being emptied for one Service while another wants something in it that is not there yet, or
 * while what another wants is not known yet. As thread-safe as the view.
 */
public final class SharedPools implements Guard {

    private static final Held UNDECIDED = new Held(
            Held.By.SHARED_POOL,
            Optional.empty(),
            "The pool is shared, and another Service names a node that is not known yet.",
            "The pool is emptied when that node is known.");
    private static final Held WANTED = new Held(
            Held.By.SHARED_POOL,
            Optional.empty(),
            "The pool is shared, and another Service's addresses are still to be added.",
            "The pool is emptied of this Service's addresses when they are.");

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
