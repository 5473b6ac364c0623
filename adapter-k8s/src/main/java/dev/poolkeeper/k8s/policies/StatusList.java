package dev.poolkeeper.k8s.policies;

/** The list in a status to which every controller adds its own entries. */
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

    /** The list's name in the status. */
    String field() {
        return field;
    }

    /** In an entry, the field that says what it is about. */
    String reference() {
        return reference;
    }

    /** How many entries the CRD allows. */
    int most() {
        return most;
    }
}
