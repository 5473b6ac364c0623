package dev.poolkeeper.core.guard;

import dev.poolkeeper.core.pool.Loss;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * How many addresses pools would lose within the window, and how many they held when it began: of each namespace and of
 * all together. An address that belongs to several counts for each. Guarded by the brake.
 */
final class Losses {

    record Share(long lost, long all) {

        static final Share NONE = new Share(0, 0);

        Share plus(long moreLost, long more) {
            return new Share(lost + moreLost, all + more);
        }

        Share minus(Share other) {
            return plus(-other.lost(), -other.all());
        }

        boolean exceeds(int percent) {
            return lost * 100 > all * percent;
        }
    }

    private final Map<String, Share> byNamespace = new HashMap<>();

    /** The namespaces that would lose any. */
    private final Set<String> losing = new TreeSet<>();

    private Share total = Share.NONE;

    Losses copy() {
        Losses copy = new Losses();
        copy.byNamespace.putAll(byNamespace);
        copy.losing.addAll(losing);
        copy.total = total;
        return copy;
    }

    /** Of these namespaces, and the total without others that are judged by themselves. */
    Losses only(Set<String> namespaces, BrakeSettings settings) {
        Losses only = copy();
        only.byNamespace.keySet().retainAll(namespaces);
        only.losing.retainAll(namespaces);
        for (String other : byThemselves(settings)) {
            only.total = namespaces.contains(other) ? only.total : only.total.minus(of(other));
        }
        return only;
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

    /**
     * Too much of this would be lost.
     *
     * @param namespace the one that would lose it; empty if all together would
     * @param others what would be lost without the removal in question
     */
    Loss.TooMuch tooMuch(Optional<String> namespace, Losses others, BrakeSettings settings) {
        Share share = namespace.map(this::of).orElse(total);
        Share anyway = namespace.map(others::of).orElse(others.total);
        return new Loss.TooMuch(
                namespace,
                share.lost(),
                share.all(),
                share.lost() - anyway.lost(),
                settings.window(),
                settings.percent());
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
        return isTooLarge(total, settings);
    }

    private static boolean isTooLarge(Share share, BrakeSettings settings) {
        return share.all() >= settings.minAddresses() && share.exceeds(settings.percent());
    }

    /**
     * The namespaces that would lose more than the share of their own addresses, sorted: those that would lose enough
     * of them for it to matter, and all of them if the pools of the other namespaces together would lose too much.
     * Without these the others lose no more than the share.
     */
    Set<String> tooLarge(BrakeSettings settings) {
        Set<String> found = byThemselves(settings);
        Share others = total;
        for (String namespace : found) {
            others = others.minus(of(namespace));
        }
        return isTooLarge(others, settings) ? exceeding(settings) : found;
    }

    private Set<String> byThemselves(BrakeSettings settings) {
        Set<String> found = exceeding(settings);
        found.removeIf(namespace -> of(namespace).lost() < settings.minAddresses());
        return found;
    }

    /** The namespaces that would lose more than the share of their own addresses, however few, sorted. */
    Set<String> exceeding(BrakeSettings settings) {
        Set<String> found = new TreeSet<>();
        for (String namespace : losing) {
            if (of(namespace).exceeds(settings.percent())) {
                found.add(namespace);
            }
        }
        return found;
    }
}
