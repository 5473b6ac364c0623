package dev.poolkeeper.emulators.kube;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The open watches, oldest first. Guarded by the store's lock. */
final class OpenWatches {

    private final Set<WatchRequest> open = new LinkedHashSet<>();

    void add(WatchRequest watch) {
        open.add(watch);
    }

    void remove(WatchRequest watch) {
        open.remove(watch);
    }

    int count() {
        return open.size();
    }

    void cut() {
        List.copyOf(open).forEach(WatchRequest::end);
    }

    void cut(KubeResource resource) {
        open.stream().filter(watch -> watch.isOn(resource)).toList().forEach(WatchRequest::end);
    }

    void bookmark() {
        List.copyOf(open).forEach(WatchRequest::bookmarkNow);
    }
}
