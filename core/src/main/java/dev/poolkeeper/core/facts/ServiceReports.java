package dev.poolkeeper.core.facts;

import dev.poolkeeper.core.facts.EventMessages.Text;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Reason;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** Tells each Service what happened to its pools: one event for each fact and Service. */
public final class ServiceReports implements Consumer<Fact> {

    private final ServiceEvents events;
    private final EventMessages messages;

    /** @param events receives the events */
    public ServiceReports(ServiceEvents events, EventMessages messages) {
        this.events = events;
        this.messages = messages;
    }

    @Override
    public void accept(Fact fact) {
        switch (fact) {
            case Fact.Updated updated -> {
                Text text = EventMessages.updated(updated.plan());
                updated.services().forEach(service -> emit(updated.pool(), service, Reason.UPDATED, text));
            }
            case Fact.Retrying failed ->
                emit(failed.pool(), Reason.RETRYING, failed.tried(), tried -> messages.retrying(failed, tried));
            case Fact.GaveUp failed ->
                emit(failed.pool(), Reason.FAILED, failed.tried(), tried -> EventMessages.gaveUp(failed, tried));
            case Fact.HoldReported held ->
                emit(held.pool(), held.service(), Reason.HELD, EventMessages.held(held.because()));
            default -> {}
        }
    }

    /** One event for each Service, about the first of its operations. */
    private void emit(PoolKey pool, Reason reason, List<Fact.Tried> tried, Function<Fact.Tried, Text> text) {
        Set<ServiceName> told = new HashSet<>();
        for (Fact.Tried one : tried) {
            if (told.add(one.service())) {
                emit(pool, one.service(), reason, text.apply(one));
            }
        }
    }

    private void emit(PoolKey pool, ServiceName service, Reason reason, Text text) {
        events.emit(new ServiceEvent(service, pool, reason, text.message(), text.note(), text.cause()));
    }
}
