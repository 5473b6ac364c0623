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
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
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
 * server refuses it or it fails too often. A 403 is retried like a server error, because an API server gives it to
 * everybody while it starts; once an event of a namespace was given up for it, its next ones are tried once. Events of
 * one namespace never delay those of another. Thread-safe.
 */
public final class KubernetesServiceEvents implements ServiceEvents {

    private static final Logger log = LoggerFactory.getLogger(KubernetesServiceEvents.class);

    private static final int FORBIDDEN = 403;

    /** In place of a status: no failure of the API server. */
    private static final int GIVE_UP = -1;

    /** The event that is being written: its Service's uid and its correlation. */
    record InProgress(String uid, EventCorrelator.Sighting sighting) {}

    private final EventSettings settings;
    private final Time time;
    private final EventWriter writer;
    private final EventCorrelator correlator = new EventCorrelator();
    private final EventQueue queue;
    private final Set<String> forbidden = Collections.newSetFromMap(new Remembered<>()); // used by one thread
    private final AtomicBoolean busy = new AtomicBoolean();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong suppressed = new AtomicLong();
    private final Function<ServiceName, Optional<String>> uids;
    private Time.Cancellable next = () -> {}; // used by one thread
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
        this.queue = new EventQueue(settings.queueSize());
    }

    @Override
    public void emit(ServiceEvent event) {
        if (!queue.add(new EventQueue.Waiting(event, time.instant()))) {
            dropped.incrementAndGet();
        }
        workSoon();
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

    private void workSoon() {
        Time.Cancellable unused = time.schedule(Duration.ZERO, this::work);
    }

    private void work() {
        if (!busy.compareAndSet(false, true)) {
            return;
        }
        try {
            for (Optional<EventQueue.Turn> turn = queue.next(time.nanoTime());
                    turn.isPresent();
                    turn = queue.next(time.nanoTime())) {
                handle(turn.get());
            }
            next.cancel();
            next = queue.untilNext(time)
                    .map(wait -> time.schedule(wait, this::work))
                    .orElse(() -> {});
        } finally { // whatever ended it, the next event is written
            busy.set(false);
        }
        if (queue.untilNext(time).filter(Duration::isZero).isPresent()) { // queued after the last check
            workSoon();
        }
    }

    private void handle(EventQueue.Turn turn) {
        ServiceEvent event = turn.first().event();
        String namespace = event.service().namespace();
        try {
            InProgress now = turn.inProgress == null ? correlated(event).orElse(null) : turn.inProgress;
            if (now == null) {
                suppressed.incrementAndGet();
            } else {
                turn.inProgress = now;
                writer.write(event, now.uid, now.sighting, turn.first().at());
                written.incrementAndGet();
                lastCause = null;
                forbidden.remove(namespace);
            }
            queue.done(turn);
        } catch (RuntimeException e) { // whatever the cause, continue with the next event
            failed(turn, e instanceof KubernetesClientException ? ApiFailure.status(e) : GIVE_UP, e);
        }
    }

    /** @param status 0 if the API server did not answer */
    private void failed(EventQueue.Turn turn, int status, RuntimeException e) {
        ServiceEvent event = turn.first().event();
        String namespace = event.service().namespace();
        turn.failures++;
        if (isTransient(status, namespace) && turn.failures < settings.tries()) {
            if (status == 0) {
                queue.retryAll(time.nanoTime(), settings.retryDelay());
            } else {
                queue.retry(turn, time.nanoTime(), settings.retryDelay());
            }
            return;
        }
        if (status == FORBIDDEN) {
            forbidden.add(namespace);
        }
        queue.done(turn);
        dropped.incrementAndGet();
        lost(event, ApiFailure.cause(e));
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

    /** No response (0), too many requests, a server error, or not permitted, perhaps only yet. */
    private boolean isTransient(int status, String namespace) {
        return status == 0 || status == 429 || status >= 500 || status == FORBIDDEN && !forbidden.contains(namespace);
    }
}
