package dev.poolkeeper.azure.http;

import java.io.Serial;

/** There is no token, so nothing was sent to ARM. */
final class NoTokenException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1L;

    NoTokenException(Throwable cause) {
        super(null, cause, false, false);
    }
}
