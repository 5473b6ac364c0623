package dev.poolkeeper.k8s.events;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.k8s.watch.ClusterWatcher;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Writes Events about Services, correlated and rate-limited like client-go's recorder.
 *
 * <p>The Events are of {@code events.k8s.io/v1}. The API server stores one kind of Event and serves it under both APIs,
 * so {@code kubectl describe service} and {@code kubectl get events} show them; the newer API has separate fields for
 * controller, action and repetition, and validates them. A repeated event increments the {@code series} of the first
 * one. The note omits ids and instants, which differ each time; the annotation {@code poolkeeper.dev/message} holds the
 * last message in full.
 *
 * <p>{@link #emit} only queues. An event is dropped, and counted in {@link #dropped}, if the queue is full, the API
 * server refuses it (for missing RBAC, for example) or it fails too often. Thread-safe.
 */
public final class KubernetesServiceEvents implements ServiceEvents {

    private static final Logger log = LoggerFactory.getLogger(KubernetesServiceEvents.class);

    private record Waiting(ServiceEvent event, Instant at) {}

    /** The event that is being written: its Service's uid and its correlation. */
    private record InProgress(String uid, EventCorrelator.Sighting sighting) {}

    private final EventSettings settings;
    private final Time time;
    private final EventWriter writer;
    private final EventCorrelator correlator = new EventCorrelator();
    private final Deque<Waiting> queue = new ArrayDeque<>(); // guarded by itself
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong suppressed = new AtomicLong();
    private final Function<ServiceName, Optional<String>> uids;
    private @Nullable InProgress inProgress;
    private int failures;
    private @Nullable String lastCause;

    /**
     * @param client from {@link KubernetesClients#forObjects}
     * @param uids looks up the uid of a Service, such as {@link ClusterWatcher#uidOf}; without it {@code kubectl
     *     describe} does not find the event
     */
    public KubernetesServiceEvents(
            KubernetesClient client, EventSettings settings, Time time, Function<ServiceName, Optional<String>> uids) {
        this.settings = settings;
        this.time = time;
        this.uids = uids;
        this.writer = new EventWriter(client, settings, time);
    }

    @Override
    public void emit(ServiceEvent event) {
        synchronized (queue) {
            if (queue.size() >= settings.queueSize()) {
                dropped.incrementAndGet();
                return;
            }
            queue.addLast(new Waiting(event, time.instant()));
        }
        workIfIdle();
    }

    /** How many events were dropped: queue full, refused, or too many failures. */
    public long dropped() {
        return dropped.get();
    }

    /** How many events were written, including increments of an existing Event. */
    public long written() {
        return written.get();
    }

    /** How many events were suppressed by their Service's rate limit. */
    public long suppressed() {
        return suppressed.get();
    }

    private void workIfIdle() {
        if (busy.compareAndSet(false, true)) {
            time.schedule(Duration.ZERO, this::work);
        }
    }

    private void work() {
        for (Waiting first = first(); first != null; first = first()) {
            if (!handle(first)) {
                time.schedule(settings.retryDelay(), this::work); // stays busy
                return;
            }
            removeFirst();
        }
        busy.set(false);
        if (first() != null) { // queued after the last check
            workIfIdle();
        }
    }

    private @Nullable Waiting first() {
        synchronized (queue) {
            return queue.peekFirst();
        }
    }

    private void removeFirst() {
        synchronized (queue) {
            queue.removeFirst();
        }
        inProgress = null;
        failures = 0;
    }

    /** False if the event must be retried. */
    private boolean handle(Waiting waiting) {
        try {
            InProgress now = inProgress == null ? correlated(waiting.event).orElse(null) : inProgress;
            if (now == null) {
                suppressed.incrementAndGet();
                return true;
            }
            inProgress = now;
            writer.write(waiting.event, now.uid, now.sighting, waiting.at);
            written.incrementAndGet();
            lastCause = null;
            return true;
        } catch (RuntimeException e) { // whatever the cause, continue with the next event
            failures++;
            if (e instanceof KubernetesClientException
                    && isTransient(ApiFailure.status(e))
                    && failures < settings.tries()) {
                return false;
            }
            dropped.incrementAndGet();
            lost(waiting.event, ApiFailure.cause(e));
            return true;
        }
    }

    private Optional<InProgress> correlated(ServiceEvent event) {
        String uid = uids.apply(event.service()).orElse("");
        return correlator.correlate(event, uid, time.nanoTime()).map(sighting -> new InProgress(uid, sighting));
    }

    /** Logs one warning per cause: a missing permission drops every event. */
    private void lost(ServiceEvent event, String cause) {
        log.atLevel(cause.equals(lastCause) ? Level.DEBUG : Level.WARN)
                .addKeyValue("service", event.service())
                .addKeyValue("reason", event.reason())
                .addKeyValue("cause", cause)
                .log("Event could not be written");
        lastCause = cause;
    }

    /** No response (0), too many requests, or a server error. */
    private static boolean isTransient(int status) {
        return status == 0 || status == 429 || status >= 500;
    }
}
