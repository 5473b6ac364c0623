package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.k8s.client.ApiFailure;
import dev.poolkeeper.k8s.client.KubernetesClients;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.Time;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Says on each policy how it fares, in its status; on a ServiceProfile, which has none, by an Event. Only while this
 * process leads. An object whose status says it already is not asked for.
 *
 * <p>Objects are written one after the other. One that changed meanwhile (409) is read and written again; one that
 * cannot be written for another reason is tried again after a wait of its own that grows, and the log says why; the
 * others do not wait for it. Thread-safe.
 */
public final class PolicyStatusWriter {

    private static final Logger log = LoggerFactory.getLogger(PolicyStatusWriter.class);

    private final Time time;
    private final StatusRequests requests;
    private final ProfileEvents events;
    private final PostponedWrites postponed; // by the one thread that writes
    private Map<PolicyObject.Id, Standing> standings = Map.of(); // by this
    private @Nullable Term term; // by this
    private boolean isDue; // by this
    private boolean isBusy; // by this
    private Time.Cancellable next = () -> {}; // by the one thread that writes
    private String lastCause = ""; // by the one thread that writes

    /**
     * @param client from {@link KubernetesClients#forObjects}
     * @param instance the name of this process, for Events
     */
    public PolicyStatusWriter(KubernetesClient client, String instance, Time time) {
        this.time = time;
        this.requests = new StatusRequests(client, time);
        this.events = new ProfileEvents(client, instance, time);
        this.postponed = new PostponedWrites(time);
    }

    /** This process leads: what is to be said is said now, and as long as the term is current. */
    public synchronized void lead(Term current) {
        term = current;
        workSoon();
    }

    /** All objects as they fare from now on; returns at once. What is obeyed is written first. */
    public synchronized void fare(List<Standing> now) {
        Map<PolicyObject.Id, Standing> byId = new LinkedHashMap<>();
        now.stream()
                .sorted(Comparator.comparing(standing -> !standing.isAccepted()))
                .forEach(standing -> byId.put(standing.object().id(), standing));
        standings = byId;
        workSoon();
    }

    private synchronized void workSoon() {
        isDue = true;
        if (!isBusy) {
            isBusy = true;
            Time.Cancellable unused = time.schedule(Duration.ZERO, this::work);
        }
    }

    private void work() {
        while (takeTurn()) {
            writeAll();
        }
    }

    private synchronized boolean takeTurn() {
        isBusy = isDue && leads();
        boolean turn = isBusy;
        isDue = isDue && !turn;
        return turn;
    }

    private synchronized Set<PolicyObject.Id> objects() {
        return standings.keySet(); // of a map that is replaced, not changed
    }

    private synchronized boolean leads() {
        return term != null && term.isCurrent();
    }

    /** As it fares now, while this process leads. */
    private synchronized Optional<Standing> standing(PolicyObject.Id id) {
        return leads() ? Optional.ofNullable(standings.get(id)) : Optional.empty();
    }

    private void writeAll() {
        next.cancel();
        Set<PolicyObject.Id> objects = objects();
        postponed.retain(objects);
        requests.retain(objects);
        events.retain(objects);
        Map<String, Integer> failures = new LinkedHashMap<>();
        for (PolicyObject.Id id : objects) {
            standing(id)
                    .filter(standing -> !postponed.holdsUp(standing))
                    .ifPresent(standing -> write(standing, failures));
        }
        failures.forEach(this::report);
        Optional<Duration> wait = postponed.untilNext();
        if (wait.isEmpty()) {
            lastCause = "";
        }
        next = wait.map(left -> time.schedule(left, this::workSoon)).orElse(() -> {});
    }

    private void write(Standing standing, Map<String, Integer> failures) {
        try {
            if (!standing.object().id().kind().hasStatus()) {
                events.tell(standing);
            } else if (!requests.write(standing, this::leads)) {
                postponed.failed(standing);
                return;
            }
            postponed.succeeded(standing);
        } catch (RuntimeException e) { // whatever it is, the next object must have its turn
            postponed.failed(standing);
            failures.merge(ApiFailure.cause(e), 1, Integer::sum);
        }
    }

    private void report(String cause, int objects) {
        log.atLevel(cause.equals(lastCause) ? Level.DEBUG : Level.WARN)
                .addKeyValue("cause", cause)
                .addKeyValue("objects", objects)
                .log("Status of retry policies could not be written");
        lastCause = cause;
    }
}
