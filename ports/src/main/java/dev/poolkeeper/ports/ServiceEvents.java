package dev.poolkeeper.ports;

/** Emits events about Services. Implementations are thread-safe, never block, and handle their own errors. */
@FunctionalInterface
public interface ServiceEvents {

    void emit(ServiceEvent event);
}
