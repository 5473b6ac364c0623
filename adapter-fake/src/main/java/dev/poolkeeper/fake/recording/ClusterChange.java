package dev.poolkeeper.fake.recording;

import dev.poolkeeper.ports.ClusterListener;

/** The change to the cluster in a watch event. */
@FunctionalInterface
public interface ClusterChange {

    /** No change: a bookmark, or an object of an ignored kind. */
    ClusterChange NONE = listener -> {};

    void report(ClusterListener listener);
}
