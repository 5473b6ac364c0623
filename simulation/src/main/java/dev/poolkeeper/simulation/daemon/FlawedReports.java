package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Reason;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import java.util.HashSet;
import java.util.Set;

/** Which Events the planted bugs hide or repeat; none without any. */
final class FlawedReports {

    private record Report(ServiceName service, PoolKey pool) {}

    private final DaemonFlaws flaws;
    private final Set<Report> held = new HashSet<>();

    FlawedReports(DaemonFlaws flaws) {
        this.flaws = flaws;
    }

    boolean isHidden(ServiceEvent event) {
        return switch (event.reason()) {
            case UPDATED -> flaws.has(Flaw.HIDES_SUCCESSES) || flaws.has(Flaw.FORGETS_SUCCESSES);
            case RETRYING -> flaws.has(Flaw.HIDES_RETRIES);
            case FAILED -> flaws.has(Flaw.HIDES_GIVING_UP);
            case HELD ->
                flaws.has(Flaw.HIDES_HOLDS)
                        || flaws.has(Flaw.REPORTS_HOLDS_ONCE) && !held.add(new Report(event.service(), event.pool()));
        };
    }

    boolean isRepeated(ServiceEvent event) {
        return flaws.has(Flaw.REPEATS_HOLDS) && event.reason() == Reason.HELD
                || flaws.has(Flaw.REPEATS_SUCCESSES) && event.reason() == Reason.UPDATED;
    }
}
