package dev.poolkeeper.k8s.policies;

/** The list in a status to which each controller adds its own entries. */
enum StatusList {
    ANCESTORS("ancestors", "ancestorRef", 16),
    PARENTS("parents", "parentRef", 32),
    /** The kind has no status. */
    NONE("", "", 0);

    private final String field;
    private final String reference;
    private final int most;

    StatusList(String field, String reference, int most) {
        this.field = field;
        this.reference = reference;
        this.most = most;
    }

    /** The name of the list's field in the status. */
    String field() {
        return field;
    }

    /** The field of an entry that holds its reference. */
    String reference() {
        return reference;
    }

    /** The limit of entries in the CRD. */
    int most() {
        return most;
    }
}
