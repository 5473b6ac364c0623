package dev.poolkeeper.core.guard;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What an object keeps in memory: the fields of our own classes and the contents of collections are followed. */
public final class Reachable {

    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<Object> next = new ArrayDeque<>();

    private Reachable() {}

    /** All objects of this type that can be reached. */
    public static <T> Set<T> from(Object root, Class<T> type) throws IllegalAccessException {
        Reachable all = new Reachable();
        Set<T> found = new HashSet<>();
        all.add(root);
        while (!all.next.isEmpty()) {
            Object object = all.next.remove();
            if (type.isInstance(object)) {
                found.add(type.cast(object));
            } else {
                all.lookInto(object);
            }
        }
        return found;
    }

    private void add(@Nullable Object object) {
        if (object != null && seen.add(object)) {
            next.add(object);
        }
    }

    private void lookInto(Object object) throws IllegalAccessException {
        switch (object) {
            case Map<?, ?> map -> {
                map.keySet().forEach(this::add);
                map.values().forEach(this::add);
            }
            case Collection<?> all -> all.forEach(this::add);
            case Optional<?> optional -> add(optional.orElse(null));
            default -> {
                if (object.getClass().getName().startsWith("dev.poolkeeper.")) {
                    fields(object);
                }
            }
        }
    }

    private void fields(Object object) throws IllegalAccessException {
        for (Field field : object.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                field.setAccessible(true);
                add(field.get(object));
            }
        }
    }
}
