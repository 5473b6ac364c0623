package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.simulation.time.MachineClock;
import dev.poolkeeper.simulation.wire.Json;
import dev.poolkeeper.simulation.wire.Tap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks until when a daemon holds the resource lock, from the Leases that it sent and the API server accepted, and
 * whether it may have to wait for the lock, from the responses.
 */
final class LeaseTap implements Tap {

    private static final Hold NONE = new Hold("", Long.MIN_VALUE, Long.MIN_VALUE, -1);

    /** The longest time of a request without response, plus the wait for the next one. */
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(11);

    /** A process that has renewed its leadership since leads; another one only looks at the Lease. */
    private static final Duration TERM = Duration.ofSeconds(10);

    /** How long the lock is left to other writers. */
    private static final Duration TURN_OF_OTHERS = Duration.ofSeconds(5);

    /** After this time no call starts under a hold. */
    private static final Duration LONG_HOLD = Duration.ofSeconds(55);

    /** After a longer hold, other writers get their turn. */
    private static final Duration SHORT_HOLD = Duration.ofSeconds(9);

    /** A hold that is renewed later than this before its end was lost meanwhile: no call starts under it. */
    private static final Duration TOO_LATE = Duration.ofSeconds(16);

    private final MachineClock clock;
    private final ElectionTap election;
    private final Map<HttpCall, Hold> writes = new IdentityHashMap<>();
    private final Map<HttpCall, Hold> releases = new IdentityHashMap<>();
    private Hold accepted = NONE;

    /** The acquire time of a hold that was renewed too late. */
    private String lost = "";

    /** Until when it may have to wait, by the last request that did not acquire the lock; null if there was none. */
    private @Nullable Long waitsUntil;

    /**
     * A Lease as written.
     *
     * @param acquired the acquire time, which distinguishes holds
     * @param since when it was first written
     * @param until when it expires unless it is written again
     * @param version the version that the API server gave it; -1 before
     */
    private record Hold(String acquired, long since, long until, long version) {

        Hold accepted(long as) {
            return new Hold(acquired, since, until, as);
        }
    }

    LeaseTap(MachineClock clock) {
        this.clock = clock;
        this.election = new ElectionTap(clock);
    }

    ElectionTap election() {
        return election;
    }

    /** By the machine's monotonic clock; in the past if the lock is not held. */
    long heldUntil() {
        return accepted.until();
    }

    /** Whether the daemon has to retry later, or has held the lock for so long that no call starts under it. */
    boolean mayWait() {
        long now = clock.nanoTime();
        Long until = waitsUntil;
        return until != null && now < until
                || now < accepted.until()
                        && (now - accepted.since() > LONG_HOLD.toNanos()
                                || accepted.acquired().equals(lost));
    }

    @Override
    public void sent(HttpCall call) {
        election.sent(call);
        boolean isCreation =
                call.method().equals("POST") && call.uri().getPath().endsWith("/leases");
        if (!isCreation && !namesTheLock(call)) {
            return;
        }
        boolean isWrite = isCreation || call.method().equals("PUT");
        JsonNode lease = isWrite ? json(call.body()) : Json.MAPPER.missingNode();
        if (!namesTheLock(call) && !isTheLock(lease)) {
            return;
        }
        if (isLook(call)) {
            return;
        }
        long now = clock.nanoTime();
        waitsUntil = now + ASKED_AGAIN.toNanos();
        JsonNode spec = lease.path("spec");
        String acquired = spec.path("acquireTime").asText();
        if (!spec.path("holderIdentity").asText("").isEmpty()) {
            Duration length =
                    Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong());
            long since = acquired.equals(accepted.acquired()) ? accepted.since() : now;
            writes.put(call, new Hold(acquired, since, now + length.toNanos(), -1));
        } else if (isWrite) {
            boolean isOfThisHold = acquired.equals(accepted.acquired());
            releases.put(call, isOfThisHold ? accepted : NONE);
            waitsUntil = now + ASKED_AGAIN.plus(TURN_OF_OTHERS).toNanos(); // if no response comes before it expires
            if (isOfThisHold) {
                accepted = NONE;
            }
        }
    }

    private boolean isLook(HttpCall call) {
        return call.method().equals("GET") && election.renewed() + TERM.toNanos() < clock.nanoTime();
    }

    private static boolean namesTheLock(HttpCall call) {
        return call.uri().getPath().endsWith("/" + ResourceLockSettings.NAME);
    }

    private static boolean isTheLock(JsonNode lease) {
        return lease.path("metadata").path("name").asText().equals(ResourceLockSettings.NAME);
    }

    @Override
    public void received(HttpCall call, AnswerPart part) {
        election.received(call, part);
        Hold hold = writes.remove(call);
        Hold released = releases.remove(call);
        boolean isAccepted = part instanceof Whole whole && (whole.status() == 200 || whole.status() == 201);
        if (released != null && isAccepted && isHeld() && version(part) > accepted.version()) {
            accepted = NONE; // a late release of an earlier hold has released this one
        }
        boolean wasShort = released != null
                && !released.equals(NONE)
                && clock.nanoTime() - released.since() < SHORT_HOLD.toNanos();
        if (hold != null && isAccepted) {
            boolean isRenewal = hold.acquired().equals(accepted.acquired());
            if (isRenewal && clock.nanoTime() > accepted.until() - TOO_LATE.toNanos()) {
                lost = hold.acquired();
            }
            accepted = hold.accepted(version(part));
            waitsUntil = null;
        } else if (wasShort && isAccepted) {
            waitsUntil = null;
        } else if (hold != null || namesTheLock(call) && !isLook(call)) {
            waitsUntil = clock.nanoTime() + ASKED_AGAIN.toNanos();
        }
    }

    private boolean isHeld() {
        return !accepted.equals(NONE);
    }

    private static long version(AnswerPart part) {
        return part instanceof Whole whole
                ? json(whole.body()).path("metadata").path("resourceVersion").asLong()
                : -1;
    }

    private static JsonNode json(byte[] body) {
        try {
            return Json.MAPPER.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
