package dev.poolkeeper.core.guard;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many addresses pools would lose within the window, and how many they held when it began: of each namespace and of
 * all together. Pools that Services of several namespaces share count as a namespace of their own. Guarded by the
 * brake.
 */
final class Losses {

    private static final class Share {
        long lost;
        long all;

        boolean exceeds(int percent) {
            return lost * 100 > all * percent;
        }
    }

    private final Map<String, Share> byNamespace = new HashMap<>();
    private final Share total = new Share();

    Losses() {}

    /** A copy. */
    Losses(Losses other) {
        other.byNamespace.forEach((namespace, share) -> add(namespace, share.lost, share.all));
    }

    void add(String namespace, long lost, long all) {
        Share share = byNamespace.computeIfAbsent(namespace, key -> new Share());
        share.lost += lost;
        share.all += all;
        total.lost += lost;
        total.all += all;
    }

    long lost() {
        return total.lost;
    }

    long all() {
        return total.all;
    }

    long lost(String namespace) {
        return of(namespace).lost;
    }

    long all(String namespace) {
        return of(namespace).all;
    }

    private Share of(String namespace) {
        return byNamespace.getOrDefault(namespace, new Share());
    }

    /** Whether all pools together would lose more than this share, and held enough addresses for it to matter. */
    boolean isTooLarge(int percent, int minAddresses) {
        return total.all >= minAddresses && total.exceeds(percent);
    }

    /**
     * The namespaces that would lose more than this share of their own addresses, sorted: those that would lose enough
     * of them for it to matter, or all of them if {@link #isTooLarge}. In that case all pools together lose no more
     * than the share without these.
     */
    Set<String> tooLarge(int percent, int minAddresses) {
        boolean all = isTooLarge(percent, minAddresses);
        Set<String> found = new TreeSet<>();
        byNamespace.forEach((namespace, share) -> {
            if (share.exceeds(percent) && (all || share.lost >= minAddresses)) {
                found.add(namespace);
            }
        });
        return found;
    }
}
