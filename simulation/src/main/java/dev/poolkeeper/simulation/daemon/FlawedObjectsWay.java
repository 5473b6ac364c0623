package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Frame;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.wire.Way;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** The connection for objects of the cluster with its planted bugs; transparent without any. */
final class FlawedObjectsWay implements Way {

    private final Way way;
    private final DaemonFlaws flaws;

    FlawedObjectsWay(Way way, DaemonFlaws flaws) {
        this.way = way;
        this.flaws = flaws;
    }

    @Override
    public Sent send(HttpCall call, Consumer<AnswerPart> receiver) {
        if (flaws.has(Flaw.REPEATS_STATUSES)
                && call.method().equals("PUT")
                && call.uri().getPath().endsWith("/status")) {
            return way.send(call, part -> {
                if (part instanceof Whole whole && whole.status() == 200) {
                    Sent unused = way.send(
                            new HttpCall(call.method(), call.uri(), call.headers(), whole.body()), again -> {});
                }
                receiver.accept(part);
            });
        }
        boolean opens = flaws.has(Flaw.OPENS_GATES) && GatePatch.of(call).isPresent();
        boolean mends =
                flaws.has(Flaw.OBEYS_INVALID_POLICIES) && call.uri().getPath().contains("/xbackendtrafficpolicies");
        return way.send(
                opens ? opened(call) : call, mends ? part -> receiver.accept(withValidPolicies(part)) : receiver);
    }

    private static AnswerPart withValidPolicies(AnswerPart part) {
        return switch (part) {
            case Frame(byte[] bytes) -> new Frame(withValidPolicies(bytes));
            case Whole whole
            when whole.status() == 200 -> new Whole(whole.status(), whole.headers(), withValidPolicies(whole.body()));
            default -> part;
        };
    }

    private static byte[] withValidPolicies(byte[] json) {
        return new String(json, StandardCharsets.UTF_8)
                .replace("\"percent\":250", "\"percent\":100")
                .replace("\"interval\":\"3h\"", "\"interval\":\"10s\"")
                .replace("\"count\":\"many\"", "\"count\":1000")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static HttpCall opened(HttpCall call) {
        String body = new String(call.body(), StandardCharsets.UTF_8)
                .replace("\"False\"", "\"True\"")
                .replace("\"WaitingForPool\"", "\"InPool\"");
        return new HttpCall(call.method(), call.uri(), call.headers(), body.getBytes(StandardCharsets.UTF_8));
    }
}
