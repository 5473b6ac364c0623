package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.emulators.http.AnswerPart;
import dev.poolkeeper.emulators.http.HttpCall;
import dev.poolkeeper.simulation.arm.ArmRequest;
import dev.poolkeeper.simulation.arm.Purpose;
import dev.poolkeeper.simulation.arm.ResourceManager;
import dev.poolkeeper.simulation.wire.Conditions;

/** A daemon's connection to ARM: it has ARM's latency, may be cut, and may delay a read or a write. */
public final class ArmConditions implements Conditions {

    private final ResourceManager arm;
    private boolean cut;
    private long hold;
    private long slow;

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

    /** Delays the next read of a pool. */
    public void slowNextRead(long nanos) {
        slow = nanos;
    }

    @Override
    public boolean isCut() {
        return cut;
    }

    @Override
    public long requestNanos(HttpCall call) {
        long delay = 0;
        if (call.method().equals("PUT")) {
            delay = hold;
            hold = 0;
        } else if (ArmRequest.of(call).purpose() == Purpose.READ) {
            delay = slow;
            slow = 0;
        }
        return arm.latency() + delay;
    }

    @Override
    public long answerNanos(HttpCall call, AnswerPart part) {
        return arm.latency();
    }
}
