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
 * Reports on each policy, in its status, whether it is in force; on a ServiceProfile, which has no status, by an Event.
 * Only the leader writes. An object whose status is already up to date causes no request.
 *
 * <p>Objects are written one after the other. An object that changed meanwhile (409) is read and written again. An
 * object that cannot be written for another reason is retried with its own growing back-off, the cause is logged, and
 * the other objects do not wait for it. Thread-safe.
 */
public final class PolicyStatusWriter {

    private static final Logger log = LoggerFactory.getLogger(PolicyStatusWriter.class);

    private final Time time;
    private final StatusRequests requests;
    private final ProfileEvents events;
    private final PostponedWrites postponed; // used by the writing thread only
    private Map<PolicyObject.Id, Standing> standings = Map.of(); // guarded by this
    private @Nullable Term term; // guarded by this
    private boolean isDue; // guarded by this
    private boolean isBusy; // guarded by this
    private Time.Cancellable next = () -> {}; // used by the writing thread only
    private String lastCause = ""; // used by the writing thread only

    /**
     * @param client from {@link KubernetesClients#forObjects}
     * @param instance the name of this process, reported in Events
     */
    public PolicyStatusWriter(KubernetesClient client, String instance, Time time) {
        this.time = time;
        this.requests = new StatusRequests(client, time);
        this.events = new ProfileEvents(client, instance, time);
        this.postponed = new PostponedWrites(time);
    }

    /**
     * Called when this process becomes leader: writes pending statuses now, and further ones while the term is current.
     */
    public synchronized void lead(Term current) {
        term = current;
        workSoon();
    }

    /** Sets the standings of all objects; returns at once. Policies in force are written first. */
    public synchronized void setStandings(List<Standing> now) {
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
        try {
            while (takeTurn()) {
                writeAll();
            }
        } catch (RuntimeException | Error e) {
            rest(); // or no status would ever be written again
            throw e;
        }
    }

    private synchronized void rest() {
        isBusy = false;
    }

    private synchronized boolean takeTurn() {
        isBusy = isDue && leads();
        boolean turn = isBusy;
        isDue = isDue && !turn;
        return turn;
    }

    private synchronized Set<PolicyObject.Id> objects() {
        return standings.keySet(); // the map is replaced, never changed
    }

    private synchronized boolean leads() {
        return term != null && term.isCurrent();
    }

    /** The object's current standing, if this process leads. */
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
                    .filter(standing -> !postponed.mustWait(standing))
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
                events.report(standing);
            } else if (!requests.write(standing, this::leads)) {
                postponed.failed(standing);
                return;
            }
            postponed.succeeded(standing);
        } catch (RuntimeException e) { // whatever the cause, continue with the next object
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
