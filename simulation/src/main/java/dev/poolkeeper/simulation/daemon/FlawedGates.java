package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.AnswerPart.Whole;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.daemon.DaemonFlaws.Flaw;
import dev.poolkeeper.simulation.time.Timeline;
import dev.poolkeeper.simulation.time.VirtualProcess;
import dev.poolkeeper.simulation.wire.Way;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The connection for the conditions of readiness gates with its planted bugs; transparent without any. */
final class FlawedGates implements Way {

    private static final long WAIT = 35 * Timeline.SECONDS;

    private final Way way;
    private final DaemonFlaws flaws;
    private final VirtualProcess process;
    private final Knowledge knowledge;
    private String refused = "";
    private long refusedAt = -WAIT;

    FlawedGates(Way way, DaemonFlaws flaws, VirtualProcess process, Knowledge knowledge) {
        this.way = way;
        this.flaws = flaws;
        this.process = process;
        this.knowledge = knowledge;
    }

    @Override
    public Sent send(HttpCall call, Consumer<AnswerPart> receiver) {
        Optional<GatePatch> patch = GatePatch.of(call);
        if (patch.isEmpty() || !flaws.has(Flaw.STOPS_AT_REFUSALS) && !flaws.has(Flaw.ASKS_OTHER_NAMESPACES)) {
            return way.send(call, receiver);
        }
        String uid = patch.get().uid();
        boolean waits = flaws.has(Flaw.STOPS_AT_REFUSALS)
                && !refused.equals(uid)
                && process.timeline().now() < refusedAt + WAIT;
        boolean isAsked = flaws.has(Flaw.ASKS_OTHER_NAMESPACES) && knowledge.isListedBySeveral(uid);
        if (waits || isAsked) {
            process.start(() -> receiver.accept(
                    new Whole(isAsked ? 409 : 503, Map.of("Content-Type", "application/json"), new byte[] {'{', '}'})));
            return () -> {};
        }
        return way.send(call, part -> {
            if (part instanceof Whole whole && whole.status() >= 400) {
                refused = uid;
                refusedAt = process.timeline().now();
            }
            receiver.accept(part);
        });
    }
}
