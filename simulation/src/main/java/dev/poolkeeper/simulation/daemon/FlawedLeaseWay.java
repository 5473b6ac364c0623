package dev.poolkeeper.simulation.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Dropped;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.k8s.lease.ResourceLockSettings;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.time.VirtualProcess;
import dev.poolkeeper.simulation.wire.Way;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** The connection for Leases with its planted bugs; transparent without any. */
final class FlawedLeaseWay implements Way {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Way way;
    private final VirtualProcess process;
    private final DaemonFlaws flaws;
    private final String identity;
    private final boolean standsDown;

    /**
     * @param identity the daemon's holder identity
     * @param wasLed whether another process was leader when the daemon started
     */
    FlawedLeaseWay(Way way, VirtualProcess process, DaemonFlaws flaws, String identity, boolean wasLed) {
        this.way = way;
        this.process = process;
        this.flaws = flaws;
        this.identity = identity;
        this.standsDown = flaws.has(Flaw.NEVER_STANDS_AGAIN) && wasLed;
    }

    @Override
    public Sent send(HttpCall call, Consumer<AnswerPart> receiver) {
        if (flaws.has(Flaw.RENEWS_IN_NAME_ONLY) && isRenewal(call)) {
            process.start(
                    () -> receiver.accept(new Whole(200, Map.of("Content-Type", "application/json"), call.body())));
            return () -> {};
        }
        if (flaws.has(Flaw.LEAVES_ITS_DURATION) && isRelease(call)) {
            return way.send(withOurDuration(call), receiver);
        }
        boolean ofElection = call.uri().getPath().endsWith("poolkeeper-leader");
        if (ofElection && standsDown) {
            return way.send(call, part -> receiver.accept(new Dropped()));
        }
        boolean freed = ofElection && call.method().equals("GET") && flaws.has(Flaw.GOES_BY_IDENTITY);
        return way.send(call, freed ? part -> receiver.accept(freedIfOurs(part)) : receiver);
    }

    private static boolean isRenewal(HttpCall call) {
        if (!call.method().equals("PUT") || !call.uri().getPath().endsWith(ResourceLockSettings.NAME)) {
            return false;
        }
        try {
            JsonNode spec = JSON.readTree(call.body()).path("spec");
            return spec.path("holderIdentity").isTextual()
                    && !spec.path("acquireTime").equals(spec.path("renewTime"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isRelease(HttpCall call) {
        return call.method().equals("PUT")
                && call.uri().getPath().endsWith(ResourceLockSettings.NAME)
                && lease(call).path("spec").path("holderIdentity").asText("").isEmpty();
    }

    private static HttpCall withOurDuration(HttpCall call) {
        ObjectNode lease = lease(call);
        lease.withObject("/spec").put("leaseDurationSeconds", 45);
        return new HttpCall(
                call.method(), call.uri(), call.headers(), lease.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode lease(HttpCall call) {
        try {
            return (ObjectNode) JSON.readTree(call.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Shows a Lease with our identity as free, so that it is acquired at once. */
    private AnswerPart freedIfOurs(AnswerPart part) {
        try {
            if (part instanceof Whole whole
                    && whole.status() == 200
                    && JSON.readTree(whole.body()) instanceof ObjectNode lease
                    && lease.path("spec").path("holderIdentity").asText().equals(identity)) {
                lease.withObject("/spec").remove("holderIdentity");
                return new Whole(200, whole.headers(), JSON.writeValueAsBytes(lease));
            }
            return part;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
