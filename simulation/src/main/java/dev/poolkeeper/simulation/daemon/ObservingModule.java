package dev.poolkeeper.simulation.daemon;

import com.google.inject.AbstractModule;
import com.google.inject.Provides;
import com.google.inject.Singleton;
import dev.poolkeeper.app.wiring.Leads;
import dev.poolkeeper.azure.AzurePools;
import dev.poolkeeper.core.cluster.EndpointIndex;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.retry.RetryBudget;
import dev.poolkeeper.core.retry.RetryModel;
import dev.poolkeeper.k8s.events.KubernetesServiceEvents;
import dev.poolkeeper.k8s.lease.LeadershipListener;
import dev.poolkeeper.k8s.lease.LeaseResourceLock;
import dev.poolkeeper.k8s.policies.PolicyStatusWriter;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallRetries;
import dev.poolkeeper.ports.ClusterListener;
import dev.poolkeeper.ports.PoolDirectory;
import dev.poolkeeper.ports.ResourceLock;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.time.Chance;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Wraps the ports of a shipped daemon with the observer and planted bugs; the rest stays as shipped. */
final class ObservingModule extends AbstractModule {

    private final SimulatedDaemon daemon;
    private final DaemonFlaws flaws;
    private final ArmTap tap;
    private final Chance chance;

    ObservingModule(SimulatedDaemon daemon, DaemonFlaws flaws, ArmTap tap, Chance chance) {
        this.daemon = daemon;
        this.flaws = flaws;
        this.tap = tap;
        this.chance = chance;
    }

    @Provides
    @Singleton
    BackendPools pools(AzurePools pools) {
        BackendPools edge = new AdapterEdge(daemon, pools, tap);
        return new FlawedPools(edge, flaws, daemon.process()::start, chance.forked(1));
    }

    @Provides
    @Singleton
    PoolDirectory directory(AzurePools pools) {
        return new FlawedDirectory(daemon, pools, flaws, chance.forked(2));
    }

    @Provides
    @Singleton
    FlawedListener flawedListener(EndpointIndex view) {
        return new FlawedListener(view, flaws, daemon.process()::start);
    }

    @Provides
    ClusterListener listener(FlawedListener listener) {
        return listener;
    }

    @Provides
    @Singleton
    LeadershipListener leadership(Engine engine, Optional<PolicyStatusWriter> statuses) {
        return new ObservedLeadership(new Leads(engine, statuses), daemon);
    }

    @Provides
    @Singleton
    CallRetries inCalls(RetryModel retries) {
        return new ObservedRetries(
                flaws.has(Flaw.RETRIES_FOR_EVER) ? new EndlessRetries() : retries.calls(), daemon, tap);
    }

    @Provides
    @Singleton
    RetryBudget acrossTicks(RetryModel retries) {
        boolean endless = flaws.has(Flaw.ENDLESS_BUDGET) || flaws.has(Flaw.RETRIES_FOR_EVER);
        RetryBudget budget = endless ? RetryBudget.ENDLESS : retries.acrossTicks();
        return flaws.has(Flaw.EMPTY_BUDGET) ? new EmptyBudget(budget) : budget;
    }

    @Provides
    @Singleton
    ServiceEvents events(Optional<KubernetesServiceEvents> recorder) {
        AtomicInteger count = new AtomicInteger();
        FlawedReports reports = new FlawedReports(flaws);
        return event -> {
            if (reports.isHidden(event)) {
                return;
            }
            daemon.reported(event);
            daemon.observed(new Observation.Reported(daemon, event));
            if (reports.isRepeated(event)) {
                String other = event.message() + " It goes on.";
                daemon.observed(new Observation.Reported(
                        daemon,
                        new ServiceEvent(
                                event.service(), event.pool(), event.reason(), other, event.note(), event.cause())));
            }
            if (flaws.has(Flaw.COUNTS_TWICE)) {
                daemon.observed(new Observation.Reported(daemon, event));
            }
            if (!flaws.has(Flaw.FALLS_SILENT) || count.incrementAndGet() <= 3) {
                recorder.ifPresent(events -> events.emit(event));
            }
        };
    }

    @Provides
    @Singleton
    ResourceLock lock(Optional<LeaseResourceLock> lease) {
        ResourceLock lock = lease.orElseThrow();
        return flaws.has(Flaw.KEEPS_THE_LOCK) ? new KeptLock(lock) : lock;
    }

    @Provides
    Consumer<Fact> facts() {
        return fact -> {
            if (!(fact instanceof Fact.Updated && flaws.has(Flaw.FORGETS_SUCCESSES))) {
                daemon.published(fact);
            }
            if (flaws.has(Flaw.COUNTS_TWICE)) {
                daemon.published(fact);
            }
        };
    }
}
