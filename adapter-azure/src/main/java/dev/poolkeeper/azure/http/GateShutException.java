package dev.poolkeeper.azure.http;

import java.time.Instant;

/** Ends an attempt in the pipeline because its gate is closed; nothing was sent. */
final class GateShutException extends RuntimeException {

    private final transient Instant shutUntil;

    GateShutException(Instant shutUntil) {
        super("the gate is closed until " + shutUntil, null, false, false);
        this.shutUntil = shutUntil;
    }

    Instant shutUntil() {
        return shutUntil;
    }
}
