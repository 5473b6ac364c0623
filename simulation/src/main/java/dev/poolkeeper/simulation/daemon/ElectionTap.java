package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.time.MachineClock;
import dev.poolkeeper.simulation.wire.Tap;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.Map;

/** Tracks which of a daemon's writes of the election's Lease the API server accepted, and when they were sent. */
final class ElectionTap implements Tap {

    private static final String NAME = "poolkeeper-leader";

    private final MachineClock clock;
    private final Map<HttpCall, Long> writes = new IdentityHashMap<>();
    private long renewed = Long.MIN_VALUE;

    ElectionTap(MachineClock clock) {
        this.clock = clock;
    }

    /** When the latest accepted write was sent, by the machine's monotonic clock. */
    long renewed() {
        return renewed;
    }

    @Override
    public void sent(HttpCall call) {
        String path = call.uri().getPath();
        boolean isRenewal = call.method().equals("PUT") && path.endsWith("/" + NAME);
        boolean isCreation = call.method().equals("POST")
                && path.endsWith("/leases")
                && new String(call.body(), StandardCharsets.UTF_8).contains(NAME);
        if (isRenewal || isCreation) {
            writes.put(call, clock.nanoTime());
        }
    }

    @Override
    public void received(HttpCall call, AnswerPart part) {
        Long sent = writes.remove(call);
        if (sent != null && part instanceof Whole whole && (whole.status() == 200 || whole.status() == 201)) {
            renewed = Math.max(renewed, sent);
        }
    }
}
