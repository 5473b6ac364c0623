package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.config.FileSource;
import dev.poolkeeper.app.config.LiveSettings;
import dev.poolkeeper.app.status.DaemonStatus;
import dev.poolkeeper.app.status.RecentHour;
import dev.poolkeeper.app.telemetry.ObservedTicks;
import dev.poolkeeper.core.engine.Engine;
import dev.poolkeeper.core.readiness.ReadinessGate;
import dev.poolkeeper.input.BadInputException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Collects the daemon's status from its parts. Thread-safe; makes no calls. */
public final class StatusSource implements Supplier<DaemonStatus> {

    private final Facts facts;
    private final Engine engine;
    private final Membership membership;
    private final Supplier<DaemonStatus.Azure> azure;
    private final Optional<ReadinessGate> gate;
    private final FileSource<LiveSettings> files;
    private final RetryPolicies policies;
    private final Permissions permissions;
    private final ObservedTicks ticks;
    private final RecentHour hour;

    /**
     * The constant part of the status.
     *
     * @param version the program's version
     * @param identity the identity of this replica in its Leases
     * @param started when the process started
     * @param dryRun whether writes are disabled
     */
    public record Facts(String version, String identity, Instant started, boolean dryRun) {}

    public StatusSource(
            Facts facts,
            Engine engine,
            Membership membership,
            Supplier<DaemonStatus.Azure> azure,
            Optional<ReadinessGate> gate,
            FileSource<LiveSettings> files,
            RetryPolicies policies,
            Permissions permissions,
            ObservedTicks ticks,
            RecentHour hour) {
        this.facts = facts;
        this.engine = engine;
        this.membership = membership;
        this.azure = azure;
        this.gate = gate;
        this.files = files;
        this.policies = policies;
        this.permissions = permissions;
        this.ticks = ticks;
        this.hour = hour;
    }

    /** The current status. The cost is proportional to the size of the cluster. */
    @Override
    public DaemonStatus get() {
        return new DaemonStatus(
                new DaemonStatus.Program(facts.version(), facts.identity(), facts.started(), ticks.lastSuccess()),
                engine.status(),
                membership.status(),
                azure.get(),
                new DaemonStatus.Settings(
                        facts.dryRun(),
                        files.current(),
                        files.trouble().map(BadInputException::faults).orElse(List.of())),
                gate.map(ReadinessGate::status),
                policies.status(),
                permissions.missing(),
                hour.moments());
    }
}
