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

    record Share(long lost, long all) {

        static final Share NONE = new Share(0, 0);

        Share plus(long moreLost, long more) {
            return new Share(lost + moreLost, all + more);
        }

        boolean exceeds(int percent) {
            return lost * 100 > all * percent;
        }
    }

    private final Map<String, Share> byNamespace = new HashMap<>();

    /** The namespaces that would lose any. */
    private final Set<String> losing = new TreeSet<>();

    private Share total = Share.NONE;

    /** A copy that knows only these namespaces, and all together. */
    Losses copy(Set<String> namespaces) {
        Losses copy = new Losses();
        for (String namespace : namespaces) {
            copy.add(namespace, of(namespace).lost(), of(namespace).all());
        }
        copy.total = total;
        return copy;
    }

    /** @param lost may be negative, like {@code all}, to take back what was added */
    void add(String namespace, long lost, long all) {
        total = total.plus(lost, all);
        Share now = of(namespace).plus(lost, all);
        if (now.equals(Share.NONE)) {
            byNamespace.remove(namespace);
        } else {
            byNamespace.put(namespace, now);
        }
        if (now.lost() > 0) {
            losing.add(namespace);
        } else {
            losing.remove(namespace);
        }
    }

    /** Of all together. */
    Share total() {
        return total;
    }

    Share of(String namespace) {
        return byNamespace.getOrDefault(namespace, Share.NONE);
    }

    /** Whether all pools together would lose more than the share, and held enough addresses for it to matter. */
    boolean isTooLarge(BrakeSettings settings) {
        return total.all() >= settings.minAddresses() && total.exceeds(settings.percent());
    }

    /**
     * The namespaces that would lose more than the share of their own addresses, sorted: those that would lose enough
     * of them for it to matter, or all of them if {@link #isTooLarge}. In that case all pools together lose no more
     * than the share without these.
     */
    Set<String> tooLarge(BrakeSettings settings) {
        boolean all = isTooLarge(settings);
        Set<String> found = new TreeSet<>();
        for (String namespace : losing) {
            Share share = of(namespace);
            if (share.exceeds(settings.percent()) && (all || share.lost() >= settings.minAddresses())) {
                found.add(namespace);
            }
        }
        return found;
    }
}
