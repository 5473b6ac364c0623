package dev.poolkeeper.k8s.lease;

/** A Lease could not be read or written, or nobody knows whether it was written. */
public final class LeaseStoreException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean conflict;

    public LeaseStoreException(String message, boolean conflict, Throwable cause) {
        super(message, cause);
        this.conflict = conflict;
    }

    /** Whether somebody else wrote it first. */
    public boolean isConflict() {
        return conflict;
    }
}
