package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.simulation.time.MachineClock;
import dev.poolkeeper.simulation.wire.Tap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;

/** Until when a daemon holds the resource lock, by the Leases that it sent and the API server accepted. */
final class LeaseTap implements Tap {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Hold NONE = new Hold("", Long.MIN_VALUE);

    private final MachineClock clock;
    private final Map<HttpCall, Hold> writes = new IdentityHashMap<>();
    private Hold accepted = NONE;

    /**
     * A Lease as it was written.
     *
     * @param acquired what tells one hold from another
     * @param until when it ends unless it is written again
     */
    private record Hold(String acquired, long until) {}

    LeaseTap(MachineClock clock) {
        this.clock = clock;
    }

    /** By the monotonic clock of its machine; in the past where it does not hold it. */
    long heldUntil() {
        return accepted.until();
    }

    @Override
    public void sent(HttpCall call) {
        boolean isWrite = call.method().equals("PUT") || call.method().equals("POST");
        JsonNode lease = isWrite ? json(call.body()) : JSON.missingNode();
        if (!lease.path("metadata").path("name").asText().equals(ResourceLockSettings.NAME)) {
            return;
        }
        JsonNode spec = lease.path("spec");
        String acquired = spec.path("acquireTime").asText();
        if (!spec.path("holderIdentity").asText("").isEmpty()) {
            Duration length =
                    Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong());
            writes.put(call, new Hold(acquired, clock.nanoTime() + length.toNanos()));
        } else if (acquired.equals(accepted.acquired())) {
            accepted = NONE; // given back; what an earlier hold gives back late is not this one
        }
    }

    @Override
    public void received(HttpCall call, AnswerPart part) {
        Hold hold = writes.remove(call);
        if (hold != null && part instanceof Whole whole && (whole.status() == 200 || whole.status() == 201)) {
            accepted = hold;
        }
    }

    private static JsonNode json(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
