package dev.poolkeeper.simulation.invariant;

import dev.poolkeeper.simulation.daemon.Observation;
import dev.poolkeeper.simulation.host.ShippedDaemon;
import dev.poolkeeper.simulation.time.Timeline;

/** S16. */
final class Secrets extends Invariant {

    private static final long EVERY = 100 * Timeline.SECONDS;

    private long next = EVERY;

    Secrets(Scene scene) {
        super("S16 secrets", "No log line, event or page contains a token.", scene);
    }

    @Override
    void observe(Observation observed) {
        switch (observed) {
            case Observation.Logged(String line) -> look("the log", line);
            case Observation.Reported reported ->
                look("an event", reported.event().message());
            default -> {}
        }
    }

    @Override
    public void afterEvent() {
        if (now() >= next) {
            next = now() + EVERY;
            scene().daemons().stream()
                    .filter(daemon ->
                            !daemon.process().isPaused()) // its clocks may stand still, and are not to be read
                    .forEach(daemon -> look("the page of " + daemon, daemon.statusPage()));
        }
    }

    private void look(String where, String text) {
        if (text.contains(ShippedDaemon.TOKEN)) {
            violated("%s contains a token: %s", where, text.replace(ShippedDaemon.TOKEN, "<token>"));
        }
    }
}
