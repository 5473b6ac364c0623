package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.daemon.SimulatedDaemon;
import dev.poolkeeper.simulation.daemon.Subject;
import dev.poolkeeper.simulation.time.Timeline;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;

/** S25. */
final class KeepsAsking extends Invariant {

    private static final long EVERY = 5 * Timeline.SECONDS;

    /** The longest wait between two watches, with jitter; less than the time after which a silent one is ended. */
    private static final long WATCHES = 45 * Timeline.SECONDS;

    /** The time-out of a request and the wait for the next one. */
    private static final long EVENTS = 60 * Timeline.SECONDS;

    /** The interval at which the file is read, and some more; an edit is noticed here up to five seconds late. */
    private static final long EDITS = 7 * Timeline.SECONDS;

    /** How late a request may be that should be sent after a short wait, or at once. */
    private static final long SOON = 8 * Timeline.SECONDS;

    /** A wait, by a clock at half speed: one that began at another rate keeps its true length. */
    private static final long LONGEST = 60 * Timeline.SECONDS;

    /** Further events of a Service may be suppressed by its rate limit, whose burst is 25. */
    private static final int NOT_LIMITED = 20;

    /**
     * A request that has to be sent.
     *
     * @param since since when, by the machine's monotonic clock
     * @param within the longest wait
     */
    private record Due(long since, long within) {}

    private static final class State {
        final Map<ServiceName, Integer> emitted = new HashMap<>();
        final Map<Subject, Due> due = new EnumMap<>(Subject.class);
        int failedListings;

        /** The edit of the configuration file that has to be read; 0 for none. */
        int edit;
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();
    private long next = EVERY;

    KeepsAsking(Scene scene) {
        super(
                "S25 keeps asking",
                "A process sends the next request for a watch within 45 s of its end, or 8 s if it had worked, from"
                    + " the version that it last received; one to write an Event within 60 s, by its own clock,"
                    + " whatever happened to earlier ones. A listing that fails is repeated after 2 s, then after 4,"
                    + " 8, 16 and 30 s. An edit of the configuration file is read within 12 s, by its own clock.",
                scene);
    }

    private static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Reported(SimulatedDaemon daemon, ServiceEvent event) -> reported(daemon, event.service());
            case Observation.Due(SimulatedDaemon daemon, Subject subject, boolean worked) ->
                of(daemon).due.putIfAbsent(subject, new Due(clock(daemon), worked ? SOON : WATCHES));
            case Observation.Asked(SimulatedDaemon daemon, Subject subject) ->
                of(daemon).due.remove(subject);
            case Observation.Watched(SimulatedDaemon daemon, Subject subject, long from, long received)
            when from != received ->
                violated("%s watches %s from version %d, but has received %d", daemon, subject, from, received);
            case Observation.ListingBegan(SimulatedDaemon daemon) ->
                of(daemon).due.remove(Subject.LISTINGS);
            case Observation.ListingEnded(SimulatedDaemon daemon, boolean well) -> listingEnds(daemon, well);
            default -> {}
        }
    }

    private void reported(SimulatedDaemon daemon, ServiceName service) {
        if (of(daemon).emitted.merge(service, 1, Integer::sum) <= NOT_LIMITED) {
            of(daemon).due.putIfAbsent(Subject.EVENTS, new Due(clock(daemon), EVENTS));
        }
    }

    private void listingEnds(SimulatedDaemon daemon, boolean well) {
        State state = of(daemon);
        state.failedListings = well ? 0 : state.failedListings + 1;
        if (!well) {
            long wait = Math.min(30, 1L << Math.min(state.failedListings, 5)) * Timeline.SECONDS;
            state.due.put(Subject.LISTINGS, new Due(clock(daemon), wait + SOON));
        }
    }

    @Override
    public void afterEvent() {
        if (now() < next) {
            return;
        }
        next = now() + EVERY;
        for (SimulatedDaemon daemon : scene().daemons()) {
            boolean isExcused = daemon.isStopping()
                    || daemon.process().isPaused()
                    || daemon.machine().wasOutOfStepSince(now() - LONGEST);
            long clock = clock(daemon);
            int edit = daemon.machine().configuration().firstUnread();
            if (edit == 0) {
                of(daemon).due.remove(Subject.CONFIGURATION);
            } else if (edit != of(daemon).edit) {
                of(daemon).due.put(Subject.CONFIGURATION, new Due(clock, EDITS));
            }
            of(daemon).edit = edit;
            if (isExcused) {
                of(daemon).due.replaceAll((subject, due) -> new Due(clock, due.within()));
            }
            of(daemon).due.forEach((subject, due) -> {
                if (clock - due.since() > due.within()) {
                    violated("%s has done nothing about %s for %s", daemon, subject, seconds(clock - due.since()));
                }
            });
        }
    }
}
