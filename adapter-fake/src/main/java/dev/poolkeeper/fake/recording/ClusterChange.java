package dev.poolkeeper.fake.recording;

import dev.poolkeeper.ports.ClusterListener;

/** Something that a watch event says of the cluster. */
@FunctionalInterface
public interface ClusterChange {

    /** Says nothing: a bookmark, or an object of a kind that is not read. */
    ClusterChange NONE = listener -> {};

    void report(ClusterListener listener);
}
