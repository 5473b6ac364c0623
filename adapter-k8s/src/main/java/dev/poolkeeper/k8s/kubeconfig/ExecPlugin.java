package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.k8s.client.Credential;
import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A program that prints a credential. It runs when a credential is first needed, when that has expired, and after the
 * API server has refused it. All clients share one run, and for a few seconds its failure. Thread-safe; blocks while
 * the program runs.
 */
final class ExecPlugin implements Credential, IdentitySource {

    private static final Duration FAILURE_COUNTS = Duration.ofSeconds(5);

    private final List<String> command;
    private final Map<String, String> variables;
    private final String version;
    private final Time time;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable ExecCredential current;
    private @Nullable String failure;
    private long failedNanos;

    /**
     * @param command the program and its arguments
     * @param variables its whole environment
     * @param version the {@code apiVersion} that it has to answer with
     */
    ExecPlugin(List<String> command, Map<String, String> variables, String version, Time time) {
        this.command = command;
        this.variables = variables;
        this.version = version;
        this.time = time;
    }

    @Override
    public Optional<String> authorization() {
        return Optional.ofNullable(credential().token()).map(token -> "Bearer " + token);
    }

    /** The client certificate; empty if the program prints none. */
    @Override
    public Optional<ClientIdentity> identity() {
        return Optional.ofNullable(credential().identity());
    }

    @Override
    public void refused(String authorization) {
        forgetIf(known -> authorization.equals("Bearer " + known.token()));
    }

    @Override
    public void refused(ClientIdentity identity) {
        forgetIf(known -> identity.equals(known.identity()));
    }

    /** If it is still the refused credential that is in hand, the next request runs the program again. */
    private void forgetIf(Predicate<ExecCredential> isRefused) {
        lock.lock();
        try {
            if (current != null && isRefused.test(current)) {
                current = null;
            }
        } finally {
            lock.unlock();
        }
    }

    private ExecCredential credential() {
        lock.lock();
        try {
            ExecCredential known = current;
            Instant now = time.instant();
            if (known != null && (known.expires() == null || now.isBefore(known.expires()))) {
                return known;
            }
            if (failure != null && time.nanoTime() - failedNanos < FAILURE_COUNTS.toNanos()) {
                throw new IllegalStateException(failure);
            }
            failure = null;
            ExecCredential fresh = run();
            current = fresh;
            return fresh;
        } finally {
            lock.unlock();
        }
    }

    private ExecCredential run() {
        try {
            return ExecCredential.parse(new PluginRun(command, variables, time).output(), version);
        } catch (PluginException e) {
            failure = "exec plugin %s: %s".formatted(command.getFirst(), e.getMessage());
            failedNanos = time.nanoTime();
            throw new IllegalStateException(failure);
        }
    }
}
