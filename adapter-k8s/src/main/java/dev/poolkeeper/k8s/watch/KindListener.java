package dev.poolkeeper.k8s.watch;

import java.util.function.Consumer;

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
    void settled();

    /** A listener that ignores {@link #settled}. */
    static <S> KindListener<S> of(Consumer<S> changed, Consumer<S> deleted) {
        return of(changed, state -> {}, deleted);
    }

    /** As above. */
    static <S> KindListener<S> of(Consumer<S> changed, Consumer<S> unchanged, Consumer<S> deleted) {
        return of(changed, unchanged, deleted, inStep -> {});
    }

    /** As above, also telling whether the reports are in step. */
    static <S> KindListener<S> of(
            Consumer<S> changed, Consumer<S> unchanged, Consumer<S> deleted, Consumer<Boolean> inStep) {
        return new KindListener<>() {
            @Override
            public void inStep(boolean now) {
                inStep.accept(now);
            }

            @Override
            public void changed(S state) {
                changed.accept(state);
            }

            @Override
            public void unchanged(S state) {
                unchanged.accept(state);
            }

            @Override
            public void deleted(S state) {
                deleted.accept(state);
            }

            @Override
            public void settled() {}
        };
    }
}
