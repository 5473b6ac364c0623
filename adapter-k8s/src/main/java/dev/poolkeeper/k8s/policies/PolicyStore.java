package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.ports.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds the known objects of all kinds and reports them as snapshots, by one thread at a time, and not before every
 * kind and the Service were read once. Changes that arrive together are reported together. Thread-safe.
 */
final class PolicyStore {

    private final Time time;
    private final Consumer<PolicySnapshot> listener;
    private final Map<PolicyKind, Map<String, PolicyObject>> objects =
            new EnumMap<>(PolicyKind.class); // guarded by this
    private @Nullable Boolean targetExists; // guarded by this
    private boolean isDue; // guarded by this
    private boolean isBusy; // guarded by this

    PolicyStore(Time time, Consumer<PolicySnapshot> listener) {
        this.time = time;
        this.listener = listener;
    }

    synchronized boolean isKnown(PolicyKind kind) {
        return objects.containsKey(kind);
    }

    /** The names of the objects of a kind. */
    synchronized Set<String> names(PolicyKind kind) {
        return Set.copyOf(objects.getOrDefault(kind, Map.of()).keySet());
    }

    /** Replaces the known objects of a kind; keys are names. */
    synchronized void replace(PolicyKind kind, Map<String, PolicyObject> all) {
        Map<String, PolicyObject> before = objects.getOrDefault(kind, Map.of());
        Map<String, PolicyObject> after = new TreeMap<>();
        all.forEach((name, now) -> after.put(name, now.after(before.get(name))));
        objects.put(kind, after);
        reportSoon();
    }

    /** Changes of a kind that are reported together; keys are names, and the value of a deleted object is empty. */
    synchronized void change(PolicyKind kind, Map<String, Optional<PolicyObject>> changes) {
        Map<String, PolicyObject> known = objects.computeIfAbsent(kind, key -> new TreeMap<>());
        changes.forEach((name, change) ->
                change.ifPresentOrElse(now -> known.put(name, now.after(known.get(name))), () -> known.remove(name)));
        reportSoon();
    }

    synchronized void target(boolean exists) {
        targetExists = exists;
        reportSoon();
    }

    private void reportSoon() {
        isDue = true;
        if (!isBusy && targetExists != null && objects.size() == PolicyKind.values().length) {
            isBusy = true;
            Time.Cancellable unused = time.schedule(Duration.ZERO, this::report);
        }
    }

    private void report() {
        try {
            for (PolicySnapshot snapshot = next(); snapshot != null; snapshot = next()) {
                listener.accept(snapshot);
            }
        } catch (RuntimeException | Error e) {
            rest(); // or no change would ever be reported again
            throw e;
        }
    }

    private synchronized void rest() {
        isBusy = false;
    }

    private synchronized @Nullable PolicySnapshot next() {
        isBusy = isDue;
        if (!isDue) {
            return null;
        }
        isDue = false;
        List<PolicyObject> all = new ArrayList<>();
        objects.values()
                .forEach(kind -> kind.values().stream()
                        .filter(object -> object.isOurs() || !object.entries().isEmpty())
                        .forEach(all::add));
        return new PolicySnapshot(Boolean.TRUE.equals(targetExists), all);
    }
}
