package dev.poolkeeper.fake;

import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Records every event with its time. Thread-safe. */
public final class FakeServiceEvents implements ServiceEvents {

    /**
     * An emitted event.
     *
     * @param at when it was emitted
     * @param event the event
     */
    public record Emitted(Instant at, ServiceEvent event) {}

    private final InstantSource clock;
    private final Consumer<Emitted> listener;
    private final List<Emitted> emitted = new ArrayList<>();

    public FakeServiceEvents(InstantSource clock) {
        this(clock, event -> {});
    }

    /** @param listener called with each event when it is emitted */
    public FakeServiceEvents(InstantSource clock, Consumer<Emitted> listener) {
        this.clock = clock;
        this.listener = listener;
    }

    @Override
    public synchronized void emit(ServiceEvent event) {
        Emitted now = new Emitted(clock.instant(), event);
        emitted.add(now);
        listener.accept(now);
    }

    /** The events so far with their times, in order. */
    public synchronized List<Emitted> emitted() {
        return List.copyOf(emitted);
    }

    /** The events so far, in order. */
    public List<ServiceEvent> events() {
        return emitted().stream().map(Emitted::event).toList();
    }

    public synchronized void clear() {
        emitted.clear();
    }
}
