package dev.poolkeeper.core.engine;

import dev.poolkeeper.core.merge.Plan;
import dev.poolkeeper.core.queue.OperationGroup;
import dev.poolkeeper.core.queue.PendingOperation;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs the outcome of each attempt to update a pool: one line per written pool and one per failed operation. */
final class UpdateLog {

    private static final Logger log = LoggerFactory.getLogger(UpdateLog.class);

    /** Further addresses are only counted. */
    private static final int NAMED = 20;

    private UpdateLog() {}

    static void written(OperationGroup group, Plan plan, Instant now) {
        ofPool(log.atInfo(), plan.pool())
                .addKeyValue("service", () -> services(group))
                .addKeyValue("added", () -> addresses(plan.additions()))
                .addKeyValue("removed", () -> addresses(plan.removals()))
                .addKeyValue("attempt", attempt(group))
                .addKeyValue("sinceChange", () -> inWords(Duration.between(group.since(), now)))
                .log(
                        plan.isDone()
                                ? "Wrote a backend pool again, because the last operation on it had failed"
                                : "Updated a backend pool");
    }

    /** A retry found that the pool already holds the wanted addresses. */
    static void foundAsWanted(OperationGroup group) {
        ofPool(log.atInfo(), group.pool())
                .addKeyValue("service", services(group))
                .addKeyValue("attempt", attempt(group))
                .log("Backend pool already holds the wanted addresses");
    }

    static void requeued(PendingOperation operation, Failure failure) {
        attempt(Level.INFO, "Requeued a failed update", operation, operation.retryCount(), failure);
    }

    static void gaveUp(PendingOperation operation, Failure failure) {
        attempt(Level.WARN, "Gave up on an update", operation, operation.retryCount() + 1, failure);
    }

    static void dropped(PendingOperation operation, Failure failure) {
        attempt(Level.INFO, "Dropped a stale update", operation, operation.retryCount() + 1, failure);
    }

    private static void attempt(Level level, String message, PendingOperation operation, int attempt, Failure failure) {
        LoggingEventBuilder entry = log.atLevel(level)
                .addKeyValue("service", operation.operation().service())
                .addKeyValue("loadBalancer", operation.operation().pool().loadBalancer())
                .addKeyValue("pool", operation.operation().pool().pool())
                .addKeyValue("attempt", attempt)
                .addKeyValue("failure", failure.describe());
        if (failure instanceof Failure.FromArm fromArm && fromArm.error().correlationId() != null) {
            entry = entry.addKeyValue("correlationId", fromArm.error().correlationId());
        }
        entry.log(message);
    }

    private static LoggingEventBuilder ofPool(LoggingEventBuilder entry, PoolKey pool) {
        return entry.addKeyValue("loadBalancer", pool.loadBalancer()).addKeyValue("pool", pool.pool());
    }

    private static String services(OperationGroup group) {
        return group.services().stream().map(ServiceName::toString).collect(Collectors.joining(", "));
    }

    private static int attempt(OperationGroup group) {
        return 1
                + group.operations().stream()
                        .mapToInt(PendingOperation::retryCount)
                        .max()
                        .orElse(0);
    }

    private static String addresses(AddressSet addresses) {
        return "[" + AddressText.of(addresses, NAMED) + "]";
    }

    /** Such as {@code 2.3 s}, {@code 46 s} or {@code 5 min}. */
    private static String inWords(Duration duration) {
        if (duration.toSeconds() < 10) {
            return String.format(Locale.ROOT, "%.1f s", duration.toMillis() / 1e3);
        }
        return duration.toSeconds() < 120 ? duration.toSeconds() + " s" : duration.toMinutes() + " min";
    }
}
