package dev.poolkeeper.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvents;
import dev.poolkeeper.ports.ServiceName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of {@link ServiceEvents}. */
public interface ServiceEventsContract {

    ServiceEvent EVENT = new ServiceEvent(
            new ServiceName("shop", "web"),
            PoolKey.of("lb-1", "shop-web"),
            ServiceEvent.Reason.RETRYING,
            "Backend pool update failed (attempt 1 of 4): HTTP 409. Retrying on the next update.");

    /** The sink under test. */
    ServiceEvents events();

    /**
     * The events that arrived, as {@code type reason namespace/name: message}, in order. Waits for events in progress.
     */
    List<String> arrived();

    @Test
    default void an_event_arrives_with_type_reason_service_and_message() {
        events().emit(EVENT);

        assertThat(arrived())
                .containsExactly("Warning LoadBalancerBackendPoolUpdateRetrying shop/web: " + EVENT.message());
    }

    @Test
    default void success_is_a_normal_event_and_the_others_are_warnings() {
        for (ServiceEvent.Reason reason : ServiceEvent.Reason.values()) {
            events().emit(new ServiceEvent(EVENT.service(), EVENT.pool(), reason, "so it is with " + reason));
        }

        assertThat(arrived())
                .containsExactly(
                        "Normal LoadBalancerBackendPoolUpdated shop/web: so it is with LoadBalancerBackendPoolUpdated",
                        "Warning LoadBalancerBackendPoolUpdateRetrying shop/web: so it is with"
                                + " LoadBalancerBackendPoolUpdateRetrying",
                        "Warning LoadBalancerBackendPoolUpdateFailed shop/web: so it is with"
                                + " LoadBalancerBackendPoolUpdateFailed",
                        "Warning LoadBalancerBackendPoolUpdateHeld shop/web: so it is with"
                                + " LoadBalancerBackendPoolUpdateHeld");
    }
}
