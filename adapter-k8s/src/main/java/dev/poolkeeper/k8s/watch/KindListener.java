package dev.poolkeeper.k8s.watch;

/**
 * Receives the objects of one kind. If it throws, the object counts as not reported, and everything is read again after
 * a back-off.
 */
public interface KindListener<S> {

    /** A new or changed state. */
    void changed(S state);

    /** The object was written again, and its state stayed the same. Not called for events that a watch repeats. */
    default void unchanged(S state) {}

    /** The object is gone; this is its last state. */
    void deleted(S state);

    /**
     * Whether the reports so far are known to be up to date. Repeated with each sign of life of an open watch.
     *
     * @param inStep false before the first read, and from a break of the watch until it is open again
     */
    default void inStep(boolean inStep) {}

    /**
     * The reports so far form a complete state: an initial read has ended, or a later change was reported. Not called
     * between the pages of a list.
     */
    default void settled() {}
}
