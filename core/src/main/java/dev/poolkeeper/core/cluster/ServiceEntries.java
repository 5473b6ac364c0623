package dev.poolkeeper.core.cluster;

import dev.poolkeeper.ports.ServiceName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The Services of the index, by name and by a small number that is reused once its Service is forgotten. Guarded by the
 * index's lock.
 */
final class ServiceEntries {

    private final Map<ServiceName, ServiceEntry> byName = new HashMap<>();
    private final List<@Nullable ServiceEntry> byNumber = new ArrayList<>();
    private final Deque<Integer> freeNumbers = new ArrayDeque<>();

    @Nullable
    ServiceEntry find(ServiceName name) {
        return byName.get(name);
    }

    ServiceEntry of(ServiceName name) {
        return byName.computeIfAbsent(name, this::add);
    }

    private ServiceEntry add(ServiceName name) {
        if (freeNumbers.isEmpty()) {
            freeNumbers.push(byNumber.size());
            byNumber.add(null);
        }
        ServiceEntry service = new ServiceEntry(name, freeNumbers.pop());
        byNumber.set(service.number, service);
        return service;
    }

    void forgetIfEmpty(ServiceEntry service) {
        if (service.isForgettable() && byName.remove(service.name, service)) {
            byNumber.set(service.number, null);
            freeNumbers.push(service.number);
        }
    }

    List<ServiceEntry> sorted() {
        return byName.values().stream().sorted(ServiceEntry.BY_NAME).toList();
    }

    /** The Services whose slices name the node, in order of their names. Clears stale numbers. */
    List<ServiceEntry> usersOf(NodeEntry node) {
        List<ServiceEntry> users = new ArrayList<>();
        for (int number : node.users.stream().toArray()) {
            ServiceEntry service = byNumber.get(number);
            if (service != null && service.names(node)) {
                users.add(service);
            } else {
                node.users.clear(number);
            }
        }
        users.sort(ServiceEntry.BY_NAME);
        return users;
    }
}
