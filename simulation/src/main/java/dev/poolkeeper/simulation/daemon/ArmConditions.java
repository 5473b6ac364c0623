package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.wire.Conditions;

/** A daemon's connection to ARM: it has ARM's latency, may be cut, and may delay a write. */
public final class ArmConditions implements Conditions {

    private final ResourceManager arm;
    private boolean cut;
    private long hold;

    ArmConditions(ResourceManager arm) {
        this.arm = arm;
    }

    /** While cut, no traffic to ARM passes. */
    public void cut(boolean now) {
        cut = now;
    }

    /** Delays the next write between its last check and its arrival. */
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
