package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.EndpointSliceState;
import dev.poolkeeper.ports.NodeState;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import dev.poolkeeper.ports.ServiceState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Other spellings of the same name and address: what is the same is found, and nothing is written. */
class OddFormsTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");

    private final EngineFixture the = new EngineFixture();

    @ParameterizedTest
    @CsvSource({
        "IPv4, 10.1.0.4,     10.1.0.4,           lb-1, shop-web,       n-a, n-a",
        "IPv4, 10.1.0.4,     10.1.0.4,           LB-1, SHOP-WEB,       n-a, n-a",
        "IPv4, 10.1.0.4,     10.1.0.4,           lb-1, Shop-Web,       n-a, N-A",
        "IPv4, 10.1.0.4,     10.1.0.4,           lb-1, shop-web,       N-A, n-a",
        "IPv6, fd12::5,      fd12::5,            lb-1, shop-web-ipv6,  n-a, n-a",
        "IPv6, fd12::5,      FD12::5,            lb-1, shop-web-IPv6,  n-a, n-a",
        "IPv6, FD12::5,      fd12:0:0:0:0:0:0:5, lb-1, SHOP-WEB-IPV6,  n-A, N-a",
        "IPv6, fd12:0::0005, fd12::0:5,          lb-1, shop-web-ipv6,  n-a, n-a",
        "IPv6, ::ffff:10.0.0.1, ::ffff:a00:1,    lb-1, shop-web-ipv6,  n-a, n-a"
    })
    void nothing_is_written_for_another_spelling(
            String family, String ofNode, String inPool, String loadBalancer, String pool, String node, String named) {
        PoolKey key = PoolKey.of(loadBalancer, pool);
        the.cloud.putPool(key, AddressSet.of(inPool));
        the.cluster.put(new ServiceState(WEB, "LoadBalancer", "Local", List.of(family)));
        the.cluster.put(new NodeState(node, Map.of(), List.of("not an address", ofNode, "203.0.113.9", "fd99::9")));
        the.cluster.put(new EndpointSliceState("shop", "web-1", WEB, family, List.of(named)));
        the.lead();
        the.tick();
        the.tick();

        assertThat(the.writes()).isZero();
        assertThat(the.engine.status().pools()).singleElement().satisfies(status -> {
            assertThat(status.isInStep()).isTrue();
            assertThat(status.pool()).hasToString(loadBalancer + "/" + pool);
            assertThat(status.isOutage()).isFalse();
        });
        // and when the spelling changes
        the.cloud.putPool(PoolKey.of(loadBalancer.toLowerCase(java.util.Locale.ROOT), pool), AddressSet.of(ofNode));
        the.cluster.put(new NodeState(node, Map.of(), List.of(inPool)));
        the.tick();
        assertThat(the.writes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "LoadBalancer, Local, IPv4, true",
        "loadbalancer, Local, IPv4, false",
        "LoadBalancer, local, IPv4, false",
        "LoadBalancer, Local, ipv4, false",
        "LoadBalancer, Local, '', true",
        "LoadBalancer, Local, IPv5, false"
    })
    void the_words_of_a_service_are_compared_as_kubernetes_does(
            String type, String policy, String family, boolean local) {
        the.pool("web", 1);
        the.cluster.put(new ServiceState(WEB, type, policy, family.isEmpty() ? List.of() : List.of(family)));
        the.endpoints(WEB, 1);
        the.lead();
        the.tick();
        assertThat(the.engine.status().pools()).hasSize(local ? 1 : 0);
    }
}
