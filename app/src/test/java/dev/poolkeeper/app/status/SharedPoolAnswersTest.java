package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.cluster.NodeReport;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.core.pool.KnownPool;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages say of Services of two namespaces that share a pool, and of a Service with two pools. */
class SharedPoolAnswersTest {

    private static final ServiceName FIRST = new ServiceName("prod-shop", "web");
    private static final ServiceName SECOND = new ServiceName("prod", "shop-web");
    private static final ServiceName DUAL = new ServiceName("team", "dual");

    private static final List<PoolStatus> POOLS = List.of(
            pool(PoolKey.of("lb-1", "prod-shop-web"), true, "10.0.0.9", FIRST, SECOND),
            pool(PoolKey.of("lb-1", "team-dual"), false, "10.0.0.4", DUAL),
            pool(PoolKey.of("lb-2", "team-dual-ipv6"), true, "10.0.0.4", DUAL),
            pool(PoolKey.of("lb-2", "prod-shop-web-v2"), false, "10.0.0.4", new ServiceName("prod", "shop-web-v2")));

    private static final String FAILED =
            "The last attempt failed: it failed. The next EndpointSlice event or comparison retries it;"
                    + " restart or scale a backing pod to cause one.";

    private static PoolStatus pool(PoolKey pool, boolean differs, String held, ServiceName... services) {
        return new PoolStatus(
                pool,
                List.of(services),
                AddressSet.of("10.0.0.4"),
                true,
                Optional.of(new KnownPool(pool, AddressSet.of(held), Statuses.NOW, null, false, null, null)),
                0,
                differs
                        ? Optional.of(new Difference(
                                Statuses.why(Difference.Reason.FAILED), Optional.empty(), Optional.empty()))
                        : Optional.empty(),
                AddressSet.empty());
    }

    /** Of the shared pool both Services name the node, the first one in other slices than the second. */
    private static Optional<NodeReport> node(ServiceName service, PoolKey pool, String node) {
        return Optional.of(new NodeReport(
                NodeReport.Presence.PRESENT,
                Optional.empty(),
                AddressSet.of("10.0.0.4"),
                service.equals(SECOND) ? List.of() : List.of(service.name() + "-slice")));
    }

    private static StatusQuery query(String service, boolean problemsOnly, String node) {
        return new StatusQuery(Optional.ofNullable(service), problemsOnly, 500, Optional.ofNullable(node));
    }

    private static StatusAnswer answer(StatusQuery query) {
        return StatusAnswer.to(query, Statuses.with(POOLS), SharedPoolAnswersTest::node);
    }

    private static JsonNode json(StatusQuery query) throws IOException {
        return JsonMapper.builder().build().readTree(StatusJson.of(answer(query)));
    }

    @ParameterizedTest
    @CsvSource({
        "prod-shop/web, 1, prod-shop-web",
        "prod/shop-web, 1, prod-shop-web",
        "team/dual, 2, team-dual team-dual-ipv6",
        "prod/shop-web-v2, 1, prod-shop-web-v2",
        "prod/shop, 0, ''",
        "shop-web, 2, prod-shop-web prod-shop-web-v2",
        "prod, 2, prod-shop-web prod-shop-web-v2",
        "prod/, 2, prod-shop-web prod-shop-web-v2",
        "/web, 1, prod-shop-web",
        "'', 4, prod-shop-web team-dual team-dual-ipv6 prod-shop-web-v2"
    })
    @Rule(
            id = "O93",
            says = "A pool that several Services share is found by the name of each, counted once, and shown with all"
                    + " of them; a Service with several pools is answered for with each.",
            source = "ours")
    void pools_are_found_by_each_of_their_services(String service, int count, String pools) {
        StatusQuery.Selection found = query(service, false, null).of(POOLS);
        assertThat(found.matching()).isEqualTo(count);
        assertThat(found.all()).isEqualTo(4);
        assertThat(String.join(
                        " ",
                        found.shown().stream()
                                .map(pool -> pool.pool().pool().toString())
                                .toList()))
                .isEqualTo(pools);
    }

    @Test
    void a_shared_pool_is_counted_once() {
        assertThat(answer(query(null, false, null)).summary())
                .isEqualTo("2 of 4 pools in step, 2 failed; 1 in outage; 1 Service without a pool");
        assertThat(query(null, true, null).of(POOLS).matching()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"prod-shop/web", "prod/shop-web"})
    void its_services_are_all_named_to_each(String asked) throws IOException {
        JsonNode json = json(query(asked, false, null));
        assertThat(json.at("/pools/0/services").toString()).isEqualTo("[\"prod-shop/web\",\"prod/shop-web\"]");
        assertThat(new StatusText(json).lines(Optional.of(asked)))
                .contains(
                        "prod-shop/web, prod/shop-web: outage: failed",
                        "prod-shop/web, prod/shop-web  lb-1           prod-shop-web  outage: failed  1       1      "
                                + "  1");
        assertThat(StatusHtml.of(answer(query(asked, false, null)), query(asked, false, null)))
                .contains("prod-shop/web, prod/shop-web: outage: failed (pool prod-shop-web on lb-1)");
    }

    @Test
    void a_node_is_answered_for_with_each_service_of_a_shared_pool_and_each_pool_of_a_service() throws IOException {
        JsonNode nodes = json(query("prod", false, "n4")).path("nodes");
        assertThat(nodes)
                .extracting(node ->
                        node.path("service").asText() + " " + node.path("text").asText())
                .containsExactly(
                        "prod-shop/web Wanted: EndpointSlice web-slice names the node, whose address is [10.0.0.4]."
                                + " It is not in the pool yet. " + FAILED,
                        "prod/shop-web Not wanted: no EndpointSlice of the Service names the node. It stays for another"
                                + " Service of the pool, or until the wanted set is complete. It is not in the pool"
                                + " yet. " + FAILED,
                        "prod/shop-web-v2 Wanted: EndpointSlice shop-web-v2-slice names the node, whose address is"
                                + " [10.0.0.4]. It is in the pool.");
        assertThat(json(query("team/dual", false, "n4")).path("nodes"))
                .extracting(node -> node.path("loadBalancer").asText() + "/"
                        + node.path("pool").asText())
                .containsExactly("lb-1/team-dual", "lb-2/team-dual-ipv6");
    }

    @Test
    void the_text_and_the_page_name_the_service_of_an_answer_if_the_pool_is_shared() throws IOException {
        StatusQuery query = query("prod", false, "n4");
        assertThat(new StatusText(json(query)).lines(Optional.of("prod")))
                .filteredOn(line -> line.startsWith("Node "))
                .extracting(line -> line.replaceFirst("(anted): .*", "$1"))
                .containsExactly(
                        "Node n4 in pool prod-shop-web for Service prod-shop/web: Wanted",
                        "Node n4 in pool prod-shop-web for Service prod/shop-web: Not wanted",
                        "Node n4 in pool prod-shop-web-v2: Wanted");
        assertThat(StatusHtml.of(answer(query), query))
                .contains(
                        "<strong>n4</strong> in lb-1/prod-shop-web for Service prod-shop/web: Wanted",
                        "<strong>n4</strong> in lb-1/prod-shop-web for Service prod/shop-web: Not wanted",
                        "<strong>n4</strong> in lb-2/prod-shop-web-v2: Wanted");
    }

    @ParameterizedTest
    @CsvSource({"shop/poolless, true", "shop/pool, false", "shop/poolless-v2, false", "poolless, true", "'', true"})
    void the_page_names_the_services_without_a_pool_that_are_asked_for(String asked, boolean named) {
        StatusQuery query = query(asked, false, null);
        assertThat(PageModel.of(answer(query), query).withoutPool().contains("shop/poolless"))
                .isEqualTo(named);
    }

    @Test
    void a_limit_counts_pools_and_not_services() {
        StatusQuery two = new StatusQuery(Optional.empty(), false, 2, Optional.empty());
        assertThat(two.of(POOLS).shown()).hasSize(2);
        assertThat(two.of(POOLS).matching()).isEqualTo(4);
        assertThat(PageModel.of(answer(two), two).shown()).isEqualTo("Shown: the first 2 of 4; there are 4 pools.");
    }
}
