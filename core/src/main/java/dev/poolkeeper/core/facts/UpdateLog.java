package dev.poolkeeper.core.facts;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Plan;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import org.slf4j.spi.LoggingEventBuilder;

/** Logs what happens to pools: one line per written pool, per failed operation, and per hold that begins or ends. */
public final class UpdateLog implements Consumer<Fact> {

    private static final Logger log = LoggerFactory.getLogger(UpdateLog.class);

    /** Further addresses are only counted. */
    private static final int NAMED = 20;

    /** Holds of a single pool that no guard logs. */
    private static final Set<HoldCause.By> LOGGED =
            EnumSet.of(HoldCause.By.SERVICE_PAUSE, HoldCause.By.SHARED_POOL, HoldCause.By.RETRY_BUDGET);

    @Override
    public void accept(Fact fact) {
        switch (fact) {
            case Fact.Written written -> written(written);
            case Fact.FoundAsWanted found ->
                ofPool(log.atInfo(), found.pool())
                        .addKeyValue("service", services(found.services()))
                        .addKeyValue("attempt", found.number())
                        .log("Backend pool already holds the wanted addresses");
            case Fact.Retrying failed ->
                attempts(Level.INFO, "Requeued a failed update", failed.pool(), failed.tried(), failed.failure());
            case Fact.GaveUp failed ->
                attempts(Level.WARN, "Gave up on an update", failed.pool(), failed.tried(), failed.failure());
            case Fact.Dropped failed ->
                attempts(Level.INFO, "Dropped a stale update", failed.pool(), failed.tried(), failed.failure());
            case Fact.Overwritten other ->
                ofPool(log.atWarn(), other.pool())
                        .addKeyValue("written", other.plan().planned())
                        .addKeyValue("found", other.found())
                        .log("Another writer changed the pool during our write; updating it again");
            case Fact.HoldBegan hold ->
                ofHold(hold.pool(), hold.because())
                        .addKeyValue("services", hold.services())
                        .addKeyValue("reason", HoldTexts.text(hold.because()))
                        .log("Backend pool update held back");
            case Fact.HoldEnded hold ->
                ofHold(hold.pool(), hold.because())
                        .addKeyValue("heldSince", hold.since())
                        .log("Backend pool update no longer held back");
            default -> {}
        }
    }

    private static void written(Fact.Written written) {
        Plan plan = written.plan();
        ofPool(log.atInfo(), plan.pool())
                .addKeyValue("service", () -> services(plan.services()))
                .addKeyValue("added", () -> addresses(plan.additions()))
                .addKeyValue("removed", () -> addresses(plan.removals()))
                .addKeyValue("attempt", written.number())
                .addKeyValue("sinceChange", () -> inWords(written.sinceChange()))
                .log(
                        plan.isDone()
                                ? "Wrote a backend pool again, because the last operation on it had failed"
                                : "Updated a backend pool");
    }

    private static void attempts(
            Level level, String message, PoolKey pool, List<Fact.Tried> operations, Failure failure) {
        for (Fact.Tried tried : operations) {
            LoggingEventBuilder entry = ofPool(log.atLevel(level).addKeyValue("service", tried.service()), pool)
                    .addKeyValue("attempt", tried.number())
                    .addKeyValue("failure", failure.describe());
            if (failure instanceof Failure.FromArm fromArm && fromArm.error().correlationId() != null) {
                entry = entry.addKeyValue("correlationId", fromArm.error().correlationId());
            }
            entry.log(message);
        }
    }

    private static LoggingEventBuilder ofPool(LoggingEventBuilder entry, PoolKey pool) {
        return entry.addKeyValue("loadBalancer", pool.loadBalancer()).addKeyValue("pool", pool.pool());
    }

    private static LoggingEventBuilder ofHold(PoolKey pool, HoldCause because) {
        return ofPool(log.atLevel(LOGGED.contains(because.by()) ? Level.INFO : Level.DEBUG), pool);
    }

    private static String services(List<ServiceName> services) {
        return services.stream().map(ServiceName::toString).collect(Collectors.joining(", "));
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
