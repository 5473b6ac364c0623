package dev.poolkeeper.fake;

import dev.poolkeeper.contract.ServiceEventsContract;
import dev.poolkeeper.ports.ServiceEvents;
import java.util.List;

class FakeServiceEventsTest implements ServiceEventsContract {

    private final FakeServiceEvents events = new FakeServiceEvents(new FakeTime());

    @Override
    public ServiceEvents events() {
        return events;
    }

    @Override
    public List<String> arrived() {
        return events.events().stream()
                .map(event ->
                        event.reason().type() + " " + event.reason() + " " + event.service() + ": " + event.message())
                .toList();
    }
}
