package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceName;
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

    /** Further events of a Service may be suppressed by its rate limit, whose burst is 25. */
    private static final int NOT_LIMITED = 20;

    private static final class State {
        final Map<ServiceName, Integer> emitted = new HashMap<>();

        /** Since when a request is due, by the machine's monotonic clock. */
        final Map<Subject, Long> due = new EnumMap<>(Subject.class);
    }

    private final Map<SimulatedDaemon, State> states = new HashMap<>();
    private long next = EVERY;

    KeepsAsking(Scene scene) {
        super(
                "S25 keeps asking",
                "A process sends the next request for a watch within 45 s of its end, and one to write an Event within"
                        + " 60 s, by its own clock, whatever happened to earlier ones.",
                scene);
    }

    private static long clock(SimulatedDaemon daemon) {
        return daemon.machine().clock().nanoTime();
    }

    private State of(SimulatedDaemon daemon) {
        return states.computeIfAbsent(daemon, key -> new State());
    }

    @Override
    public void event(SimulatedDaemon daemon, ServiceEvent event) {
        if (of(daemon).emitted.merge(event.service(), 1, Integer::sum) <= NOT_LIMITED) {
            isDue(daemon, Subject.EVENTS);
        }
    }

    @Override
    public void isDue(SimulatedDaemon daemon, Subject subject) {
        of(daemon).due.putIfAbsent(subject, clock(daemon));
    }

    @Override
    public void asked(SimulatedDaemon daemon, Subject subject) {
        of(daemon).due.remove(subject);
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
                    || daemon.machine().wasOutOfStepSince(now() - EVERY);
            long clock = clock(daemon);
            of(daemon).due.replaceAll((subject, since) -> isExcused ? Long.valueOf(clock) : since);
            of(daemon).due.forEach((subject, since) -> {
                if (clock - since > (subject == Subject.EVENTS ? EVENTS : WATCHES)) {
                    violated("%s has sent no request about %s for %s", daemon, subject, seconds(clock - since));
                }
            });
        }
    }
}
