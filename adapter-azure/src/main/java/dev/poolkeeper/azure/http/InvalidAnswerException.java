package dev.poolkeeper.azure.http;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** A response from ARM is invalid. The message states the problem and quotes no secret. */
public final class InvalidAnswerException extends Exception {

    @Serial
    private static final long serialVersionUID = 1L;

    private final boolean passing;
    private final transient @Nullable ArmErrorBody error;

    public InvalidAnswerException(String reason) {
        this(reason, false, null);
    }

    private InvalidAnswerException(String reason, boolean passing, @Nullable ArmErrorBody error) {
        super(Redaction.of(reason), null, false, false);
        this.passing = passing;
        this.error = error;
    }

    /** The body contains nothing, as ARM sends while it replicates a resource. */
    static InvalidAnswerException empty(String reason) {
        return new InvalidAnswerException(reason, true, null);
    }

    /** The body contradicts itself, so that no part of it can be trusted. */
    static InvalidAnswerException contradictory(String reason) {
        return new InvalidAnswerException(reason, true, null);
    }

    /** The body is an error instead of what was asked for. */
    public static InvalidAnswerException reporting(ArmErrorBody error) {
        return new InvalidAnswerException("the body is an error: " + error.describe(), false, error);
    }

    /** The problem. */
    public String reason() {
        return String.valueOf(getMessage());
    }

    /** Whether a later response may be valid. */
    boolean isPassing() {
        return passing;
    }

    /** The error in the body; null if it is none. */
    @Nullable
    ArmErrorBody error() {
        return error;
    }
}
