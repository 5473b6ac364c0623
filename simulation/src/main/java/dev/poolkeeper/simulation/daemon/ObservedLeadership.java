package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;

/** Passes leadership on to the engine, with its planted bug, and reports it to the witness. */
final class ObservedLeadership implements LeadershipListener {

    private final LeadershipListener shipped;
    private final SimulatedDaemon daemon;
    private final Witness witness;

    ObservedLeadership(LeadershipListener shipped, SimulatedDaemon daemon, Witness witness) {
        this.shipped = shipped;
        this.daemon = daemon;
        this.witness = witness;
    }

    @Override
    public void started(Term term) {
        shipped.started(daemon.has(Flaw.BELIEVES_IN_LEADERSHIP) ? Term.untilEnded() : term);
        witness.leads(daemon, true);
    }

    @Override
    public void lost() {
        if (!daemon.has(Flaw.BELIEVES_IN_LEADERSHIP)) {
            shipped.lost();
        }
        witness.leads(daemon, false);
    }
}
