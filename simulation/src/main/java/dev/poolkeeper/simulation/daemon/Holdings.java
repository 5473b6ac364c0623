package dev.poolkeeper.simulation.daemon;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The Services, pools and texts that a process has in its memory, found by following references from object to object
 * through the fields of our own classes and through collections. Omits what only threads or libraries refer to.
 */
final class Holdings {

    private static final String OURS = "dev.poolkeeper.";
    private static final String OBSERVERS = "dev.poolkeeper.simulation.";
    private static final String SERVERS = "dev.poolkeeper.emulators.";

    /**
     * An object.
     *
     * @param way the fields that lead to it
     */
    private record Found(Object object, String way) {}

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Found> next = new ArrayDeque<>();
    private final Map<Object, String> held = new LinkedHashMap<>();

    private Holdings() {}

    /** Each {@link ServiceName}, {@link PoolKey} and text that can be reached, with the fields that lead to it. */
    static Map<Object, String> of(Object... roots) {
        Holdings holdings = new Holdings();
        for (Object root : roots) {
            holdings.add(root, root.getClass().getSimpleName());
        }
        while (!holdings.next.isEmpty()) {
            holdings.lookInto(holdings.next.remove());
        }
        return holdings.held;
    }

    private void add(@Nullable Object object, String way) {
        if (object instanceof ServiceName || object instanceof PoolKey || object instanceof String) {
            held.putIfAbsent(object, way);
        } else if (object != null && seen.add(object)) {
            next.add(new Found(object, way));
        }
    }

    private void lookInto(Found found) {
        String way = found.way();
        switch (found.object()) {
            case Map<?, ?> map ->
                map.forEach((key, value) -> {
                    add(key, way + ".key()");
                    add(value, way + ".value()");
                });
            case Collection<?> all -> all.forEach(one -> add(one, way + ".element()"));
            case Optional<?> optional -> add(optional.orElse(null), way);
            case AtomicReference<?> reference -> add(reference.get(), way);
            case Object[] array -> {
                for (Object one : array) {
                    add(one, way + ".element()");
                }
            }
            default -> fields(found.object(), way);
        }
    }

    private void fields(Object object, String way) {
        String name = object.getClass().getName();
        if (!name.startsWith(OURS) || name.startsWith(OBSERVERS) || name.startsWith(SERVERS)) {
            return;
        }
        for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())
                        && !field.getType().isPrimitive()
                        && type.getName().startsWith(OURS)) {
                    add(value(field, object), way + "." + field.getName());
                }
            }
        }
    }

    private static @Nullable Object value(Field field, Object object) {
        try {
            field.setAccessible(true);
            return field.get(object);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
