package dev.poolkeeper.k8s.policies;

import dev.poolkeeper.k8s.watch.KindListener;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Collects what one watch reports and passes it on once it is complete: first all objects, replacing those of an
 * earlier watch, then each change. A partly read list is never passed on. Guarded by the lock of its watch.
 */
final class GatheredObjects implements KindListener<PolicyObject> {

    private final PolicyKind kind;
    private final PolicyStore store;
    private final Map<String, Optional<PolicyObject>> pending = new LinkedHashMap<>();
    private boolean hasSettled;

    GatheredObjects(PolicyKind kind, PolicyStore store) {
        this.kind = kind;
        this.store = store;
    }

    @Override
    public void changed(PolicyObject state) {
        pending.put(state.id().name(), Optional.of(state));
    }

    @Override
    public void deleted(PolicyObject state) {
        pending.put(state.id().name(), Optional.empty());
    }

    @Override
    public void settled() {
        if (!hasSettled) {
            hasSettled = true;
            Map<String, PolicyObject> all = new HashMap<>();
            pending.forEach((name, state) -> state.ifPresent(now -> all.put(name, now)));
            store.replace(kind, all);
        } else if (!pending.isEmpty()) {
            store.change(kind, pending);
        }
        pending.clear();
    }
}
