package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;

/** Passes leadership on to the engine, with its planted bug, and reports it to the observer. */
final class ObservedLeadership implements LeadershipListener {

    private final LeadershipListener shipped;
    private final SimulatedDaemon daemon;

    ObservedLeadership(LeadershipListener shipped, SimulatedDaemon daemon) {
        this.shipped = shipped;
        this.daemon = daemon;
    }

    @Override
    public void started(Term term) {
        shipped.started(daemon.has(Flaw.BELIEVES_IN_LEADERSHIP) ? Term.untilEnded() : term);
        daemon.observed(new Observation.Leads(daemon, true));
    }

    @Override
    public void lost() {
        if (!daemon.has(Flaw.BELIEVES_IN_LEADERSHIP)) {
            shipped.lost();
        }
        daemon.observed(new Observation.Leads(daemon, false));
    }
}
