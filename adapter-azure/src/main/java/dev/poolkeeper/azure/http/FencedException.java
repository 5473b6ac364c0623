package dev.poolkeeper.azure.http;

/** Ends a request that may no longer be sent, because leadership or the resource lock was lost. */
final class FencedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    FencedException() {
        super("leadership or the resource lock was lost", null, false, false);
    }
}
