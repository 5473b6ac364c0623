package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.watch.KindWatch;
import dev.poolkeeper.k8s.watch.WatchSettings;
import dev.poolkeeper.k8s.watch.WatchStatus;
import dev.poolkeeper.k8s.watch.WatchedKind;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Watches one kind while the API server serves it; while it does not, discovery is repeated at an interval. If a kind
 * is no longer served, its last objects stay in force; a kind that cannot be read at first does not delay the others.
 * Thread-safe.
 */
final class PolicyWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PolicyWatch.class);

    /** The interval between checks. A check sends a request only while nothing can be watched. */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    private final PolicyKind kind;
    private final String namespace;
    private final KubernetesClient client;
    private final WatchSettings settings;
    private final Time time;
    private final PolicyStore store;
    private final KindDiscovery discovery;
    private @Nullable KindWatch<GenericKubernetesResource, PolicyObject> watch; // guarded by this
    private String version = ""; // guarded by this
    private String trouble = ""; // guarded by this
    private Time.Cancellable next = () -> {}; // guarded by this
    private boolean closed; // guarded by this

    PolicyWatch(
            PolicyKind kind,
            String namespace,
            KubernetesClient client,
            WatchSettings settings,
            Time time,
            PolicyStore store) {
        this.kind = kind;
        this.namespace = namespace;
        this.client = client;
        this.settings = settings;
        this.time = time;
        this.store = store;
        this.discovery = new KindDiscovery(client, kind);
    }

    synchronized void start() {
        checkAfter(Duration.ZERO);
    }

    private void checkAfter(Duration wait) {
        if (!closed) {
            next = time.schedule(wait, this::look);
        }
    }

    private void look() {
        if (needsDiscovery()) {
            try {
                found(discovery.ask());
            } catch (RuntimeException e) { // whatever the cause, the next check may succeed
                failed(ApiFailure.cause(e));
            }
        }
        synchronized (this) {
            checkAfter(INTERVAL);
        }
    }

    private synchronized boolean needsDiscovery() {
        return watch == null || watch.status().lastError().isPresent();
    }

    private synchronized void found(KindDiscovery.Served served) {
        if (closed) {
            return;
        }
        String now = served.version().orElse("");
        if (watch != null && now.equals(version)) {
            continueWithout(watch.status());
            return;
        }
        if (watch != null) {
            watch.close();
            watch = null;
        }
        boolean wasServed = !version.isEmpty();
        version = now;
        if (now.isEmpty()) {
            isNotServed(served.why(), wasServed);
            return;
        }
        trouble = "";
        log.atInfo()
                .addKeyValue("kind", kind.kind())
                .addKeyValue("version", now)
                .addKeyValue("namespace", namespace)
                .log("Watching retry policies");
        watch = new KindWatch<>(watched(now), client, settings, time);
        watch.start();
    }

    private void isNotServed(String why, boolean wasServed) {
        if (!why.equals(trouble)) {
            log.atLevel(wasServed ? Level.WARN : Level.DEBUG)
                    .addKeyValue("kind", kind.kind())
                    .addKeyValue("cause", why)
                    .addKeyValue("held", store.names(kind))
                    .log("Retry policies of this kind cannot be read; those read last stay in force");
        }
        trouble = why;
        if (!store.isKnown(kind)) {
            store.replace(kind, Map.of());
        }
    }

    /** Reports no objects for a kind that we may not read, for example. */
    private void continueWithout(WatchStatus status) {
        if (!status.synced() && !store.isKnown(kind)) {
            log.atWarn()
                    .addKeyValue("kind", kind.kind())
                    .addKeyValue("cause", status.lastError().orElse(""))
                    .log("Retry policies of this kind cannot be read yet; continuing without them");
            store.replace(kind, Map.of());
        }
    }

    private synchronized void failed(String cause) {
        if (!cause.equals(trouble)) {
            log.atInfo()
                    .addKeyValue("kind", kind.kind())
                    .addKeyValue("cause", cause)
                    .log("Discovery of retry policies failed");
        }
        trouble = cause;
    }

    private WatchedKind<GenericKubernetesResource, PolicyObject> watched(String served) {
        PolicyReader reader = new PolicyReader(kind, served, namespace);
        return new WatchedKind<>(
                kind.kind(),
                kind.path(served, namespace) + "?",
                GenericKubernetesResource.class,
                4,
                reader::read,
                new GatheredObjects(kind, store));
    }

    /** The state of this watch. */
    synchronized PolicyWatcher.KindStatus status() {
        Optional<WatchStatus> now = Optional.ofNullable(watch).map(KindWatch::status);
        return new PolicyWatcher.KindStatus(
                kind.kind(),
                version,
                now.map(WatchStatus::watching).orElse(false),
                now.map(status -> status.lastError().orElse("")).orElse(trouble));
    }

    @Override
    public synchronized void close() {
        closed = true;
        next.cancel();
        if (watch != null) {
            watch.close();
        }
    }
}
