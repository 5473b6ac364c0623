package dev.poolkeeper.k8s.lease;

/** A Lease could not be read or written, or it is unknown whether it was written. */
public final class LeaseStoreException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean conflict;

    public LeaseStoreException(String message, boolean conflict, Throwable cause) {
        super(message, cause);
        this.conflict = conflict;
    }

    /** Whether another writer changed, created or deleted it first. */
    public boolean isConflict() {
        return conflict;
    }
}
