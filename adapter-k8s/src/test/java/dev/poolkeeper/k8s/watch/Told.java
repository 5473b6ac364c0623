package dev.poolkeeper.k8s.watch;

import java.util.function.Consumer;

/** A listener that tells in words what is reported to it. */
record Told(Consumer<String> words) implements KindListener<String> {

    @Override
    public void changed(String state) {
        words.accept("changed " + state);
    }

    @Override
    public void unchanged(String state) {
        words.accept("unchanged " + state);
    }

    @Override
    public void deleted(String state) {
        words.accept("deleted " + state);
    }
}
