package dev.poolkeeper.ports;

/** Where events about Services go. Implementations are thread-safe, never block, and swallow their own errors. */
@FunctionalInterface
public interface ServiceEvents {

    void emit(ServiceEvent event);
}
