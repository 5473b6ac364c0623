package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.wire.Conditions;

/** A daemon's way to ARM: as quick as ARM is, unless it is cut, or a write is held up. */
public final class ArmConditions implements Conditions {

    private final ResourceManager arm;
    private boolean cut;
    private long hold;

    ArmConditions(ResourceManager arm) {
        this.arm = arm;
    }

    /** Nothing gets through to ARM. */
    public void cut(boolean now) {
        cut = now;
    }

    /** The next write is held up between the last check and its arrival. */
    public void holdNextWrite(long nanos) {
        hold = nanos;
    }

    @Override
    public boolean isCut() {
        return cut;
    }

    @Override
    public long requestNanos(HttpCall call) {
        long held = call.method().equals("PUT") ? hold : 0;
        if (held > 0) {
            hold = 0;
        }
        return arm.latency() + held;
    }

    @Override
    public long answerNanos(HttpCall call, AnswerPart part) {
        return arm.latency();
    }
}
