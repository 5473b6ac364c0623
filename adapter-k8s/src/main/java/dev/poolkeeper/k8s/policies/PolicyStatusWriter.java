package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Says on each policy how it fares, in its status; on a ServiceProfile, which has none, by an Event. Only while this
 * process leads. An object whose status says it already is not asked for.
 *
 * <p>Objects are written one after the other. One that changed meanwhile (409) is read and written again; what cannot
 * be written for another reason is tried again after a wait that grows, and the log says why. Thread-safe.
 */
public final class PolicyStatusWriter {

    private static final Logger log = LoggerFactory.getLogger(PolicyStatusWriter.class);

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

    private final Time time;
    private final StatusRequests requests;
    private final ProfileEvents events;
    private List<Standing> standings = List.of(); // by this
    private @Nullable Term term; // by this
    private boolean isDue; // by this
    private boolean isBusy; // by this
    private Duration wait = FIRST_WAIT; // by the one thread that writes
    private String lastCause = ""; // by the one thread that writes

    /**
     * @param client from {@link KubernetesClients#forObjects}
     * @param instance the name of this process, for Events
     */
    public PolicyStatusWriter(KubernetesClient client, String instance, Time time) {
        this.time = time;
        this.requests = new StatusRequests(client, time);
        this.events = new ProfileEvents(client, instance, time);
    }

    /** This process leads: what is to be said is said now, and as long as the term is current. */
    public synchronized void lead(Term current) {
        term = current;
        workSoon();
    }

    /** All objects as they fare from now on; returns at once. */
    public synchronized void fare(List<Standing> now) {
        standings = List.copyOf(now);
        workSoon();
    }

    private void workSoon() {
        isDue = true;
        if (!isBusy) {
            isBusy = true;
            Time.Cancellable unused = time.schedule(Duration.ZERO, this::work);
        }
    }

    private void work() {
        while (takeTurn()) {
            if (!writeAll()) {
                Time.Cancellable unused = time.schedule(wait, this::workAgain); // stays busy
                wait = wait.multipliedBy(2).compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait.multipliedBy(2);
                return;
            }
            wait = FIRST_WAIT;
            lastCause = "";
        }
    }

    private void workAgain() {
        synchronized (this) {
            isDue = true;
        }
        work();
    }

    private synchronized boolean takeTurn() {
        isBusy = isDue && term != null && term.isCurrent();
        boolean turn = isBusy;
        isDue = isDue && !turn;
        return turn;
    }

    private synchronized Deque<Standing> toWrite() {
        return new ArrayDeque<>(standings);
    }

    private synchronized boolean leads() {
        return term != null && term.isCurrent();
    }

    private synchronized boolean hasNews() {
        return isDue;
    }

    /** False if something is to be tried again later. */
    private boolean writeAll() {
        boolean isDone = true;
        Map<String, Integer> failures = new LinkedHashMap<>();
        for (Standing standing : toWrite()) {
            if (!leads() || hasNews()) {
                return isDone;
            }
            try {
                if (standing.object().id().kind().hasStatus()) {
                    isDone &= requests.write(standing);
                } else {
                    events.tell(standing);
                }
            } catch (RuntimeException e) { // whatever it is, the next object must have its turn
                isDone = false;
                failures.merge(ApiFailure.cause(e), 1, Integer::sum);
            }
        }
        failures.forEach(this::report);
        return isDone;
    }

    private void report(String cause, int objects) {
        log.atLevel(cause.equals(lastCause) ? Level.DEBUG : Level.WARN)
                .addKeyValue("cause", cause)
                .addKeyValue("objects", objects)
                .log("Status of retry policies could not be written");
        lastCause = cause;
    }
}
