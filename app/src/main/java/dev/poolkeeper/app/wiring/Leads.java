package dev.poolkeeper.app.wiring;

import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.k8s.policies.PolicyStatusWriter;
import dev.poolkeeper.ports.Term;
import java.util.Optional;

/**
 * Starts and stops the work of the leader.
 *
 * @param engine runs updates while this process leads
 * @param statuses writes the statuses of retry policies; empty if those are not watched
 */
public record Leads(Engine engine, Optional<PolicyStatusWriter> statuses) implements LeadershipListener {

    @Override
    public void started(Term term) {
        engine.startLeading(term);
        statuses.ifPresent(writer -> writer.lead(term));
    }

    @Override
    public void lost() {
        engine.stopLeading();
    }
}
