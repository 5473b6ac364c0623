package dev.poolkeeper.k8s.events;

import java.util.LinkedHashMap;
import java.util.Map;

/** The 4,096 entries used last. Not thread-safe. */
final class Remembered<V> extends LinkedHashMap<String, V> {

    private static final long serialVersionUID = 1L;
    private static final int MOST = 4096;

    Remembered() {
        super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
        return size() > MOST;
    }
}
