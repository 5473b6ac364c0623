package dev.poolkeeper.k8s.watch;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.ports.Time;
import dev.poolkeeper.ports.retry.Backoff;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tracks failed requests for one kind: the back-off before the next attempt, and the log and status entries. Logs one
 * line per new cause, at {@code WARN}, and one when requests succeed again. Not thread-safe.
 */
final class Troubles {

    private static final Logger log = LoggerFactory.getLogger(Troubles.class);

    private final String kind;
    private final String server;
    private final Backoff backoff;
    private final Time time;
    private int failures;
    private boolean expired;
    private @Nullable String cause;
    private @Nullable String lastError;

    Troubles(String kind, String server, Backoff backoff, Time time) {
        this.kind = kind;
        this.server = server;
        this.backoff = backoff;
        this.time = time;
    }

    /**
     * Records a failure.
     *
     * @param what such as {@code list}
     * @return how long to wait before the next attempt
     */
    Duration failed(String what, Throwable error) {
        failures++;
        Duration wait = backoff.before(failures, time.draw());
        report(what, error, wait);
        return wait;
    }

    /**
     * The version to continue from is too old, which is normal after a disconnection. Everything has to be read again,
     * at once the first time, with a wait if it happens again without an event in between.
     */
    Duration expired(String what, Throwable error) {
        if (expired) {
            return failed(what, error);
        }
        expired = true;
        report(what, error, Duration.ZERO);
        return Duration.ZERO;
    }

    private void report(String what, Throwable error, Duration wait) {
        String now = ApiFailure.cause(error);
        lastError = what + " at " + server + ": " + now;
        log.atLevel(now.equals(cause) ? Level.DEBUG : wait.isZero() ? Level.INFO : Level.WARN)
                .addKeyValue("kind", kind)
                .addKeyValue("server", server)
                .addKeyValue("cause", now)
                .addKeyValue("nextAttempt", wait.isZero() ? "at once" : "in " + seconds(wait))
                .log("Kubernetes {} failed", what);
        cause = now;
    }

    /** Such as {@code 0.8 s} or {@code 24 s}. */
    private static String seconds(Duration wait) {
        return wait.toSeconds() < 10
                ? "%s.%s s".formatted(wait.toSeconds(), wait.toMillisPart() / 100)
                : wait.toSeconds() + " s";
    }

    /** A list was read, or an event arrived. */
    void succeeded() {
        if (cause != null) {
            log.atInfo().addKeyValue("kind", kind).log("Kubernetes requests succeed again");
        }
        cause = null;
        lastError = null;
    }

    /** Resets the back-off. Not done after a list: lists that no watch can continue from must not repeat quickly. */
    void watchWorks() {
        failures = 0;
        expired = false;
        succeeded();
    }

    /** The last failure; empty once requests succeed again. */
    Optional<String> lastError() {
        return Optional.ofNullable(lastError);
    }
}
