package dev.poolkeeper.k8s.watch;

import java.util.function.Consumer;

/**
 * Takes what a watch shows of one kind. If it throws, what was reported counts as not reported, and everything is read
 * again after a back-off.
 */
public interface KindListener<S> {

    /** A state that is new, or another one than before. */
    void changed(S state);

    /** An object is gone; this is the state that it last had. */
    void deleted(S state);

    /**
     * What was reported so far is what there is: a reading has come to its end, or a change after it was reported. Not
     * called between the pages of a list.
     */
    void settled();

    /** One that does not ask for the moments in between. */
    static <S> KindListener<S> of(Consumer<S> changed, Consumer<S> deleted) {
        return new KindListener<>() {
            @Override
            public void changed(S state) {
                changed.accept(state);
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
