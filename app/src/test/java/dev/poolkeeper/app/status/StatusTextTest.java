package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.contract.HostileText;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The states of pools in the text of {@code status}, compared with those on the page. */
class StatusTextTest {

    static Stream<PoolStatus> pools() {
        return Stream.of(
                Statuses.inStep(1),
                notAdopted(Statuses.inStep(1)),
                Statuses.queued(),
                notAdopted(Statuses.queued()),
                Statuses.outage());
    }

    private static PoolStatus notAdopted(PoolStatus pool) {
        return new PoolStatus(
                pool.pool(),
                pool.services(),
                pool.wanted(),
                false,
                pool.known(),
                pool.attempts(),
                pool.difference(),
                pool.leaving());
    }

    private static JsonNode json(PoolStatus pool) {
        StatusQuery query = new StatusQuery(Optional.empty(), false, 500, Optional.empty());
        StatusAnswer answer =
                StatusAnswer.to(query, Statuses.with(List.of(pool)), (service, key, node) -> Optional.empty());
        return tree(answer);
    }

    private static JsonNode tree(StatusAnswer answer) {
        try {
            return JsonMapper.builder().build().readTree(StatusJson.of(answer));
        } catch (IOException e) { // writes to memory
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("pools")
    void the_text_and_the_page_have_the_same_state(PoolStatus pool) {
        List<String> lines = new StatusText(json(pool))
                .lines(Optional.of(pool.services().getFirst().toString()));

        assertThat(lines.getLast()).contains("  " + PoolSummary.state(pool) + "  ");
    }

    @Test
    void a_standby_does_not_summarize_pools_that_it_cannot_know() {
        List<PoolStatus> pools = List.of(Statuses.queued(), Statuses.inStep(1));
        assertThat(PoolSummary.of(false, pools, 3))
                .isEqualTo("2 pools; this replica is on standby and does not know their state");
    }

    @ParameterizedTest
    @CsvSource({
        "INCOMPLETE, incomplete",
        "NOT_LEADING, not leading",
        "NOT_LISTED, not listed",
        "HELD, held",
        "IN_PROGRESS, in progress",
        "LOCK_HELD, lock held",
        "PARKED, parked",
        "RETRYING, retrying",
        "QUEUED, queued",
        "FAILED, failed",
        "NOT_COMPARED, not compared"
    })
    void each_reason_is_in_words(Difference.Reason reason, String words) {
        PoolStatus queued = Statuses.queued();
        PoolStatus pool = new PoolStatus(
                queued.pool(),
                queued.services(),
                queued.wanted(),
                true,
                queued.known(),
                0,
                Optional.of(new Difference(Statuses.why(reason), Optional.empty(), Optional.empty())),
                queued.leaving());

        assertThat(PoolSummary.state(pool)).isEqualTo(words);
        assertThat(PoolSummary.of(true, List.of(pool, pool), 0)).isEqualTo("0 of 2 pools in step, 2 " + words);
        assertThat(new StatusText(json(pool)).lines(Optional.empty())).contains("shop/quick: " + words);
    }

    private static JsonNode parsed(String json) throws IOException {
        return JsonMapper.builder().build().readTree(json);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"leading": true}                    | {"held": true, "holding": {"holder": "a"}}  | this replica leads; resource\
         lock held by this replica
        {"leading": true, "leader": "a"}     | {"held": false, "holding": {"holder": "b"}} | this replica leads; resource\
         lock held by b
        {"leading": false, "leader": "b"}    | {"held": false, "holding": null}            | this replica is on standby;\
         ask the leader b; resource lock has no known holder
        {"leading": false, "leader": "b"}    | {}                                          | this replica is on standby;\
         ask the leader b; resource lock has no known holder
        """)
    void who_leads_and_who_holds_the_lock(String election, String lock, String line) throws IOException {
        JsonNode json =
                parsed("{\"program\": {\"identity\": \"a\"}, \"cluster\": {\"election\": %s, \"resourceLock\": %s}}"
                        .formatted(election, lock));

        assertThat(new StatusText(json).lines(Optional.empty()).get(1)).isEqualTo("a: " + line);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        shop/poolless | no selected load balancer has a backend pool with its name.
        shop/lacking  | no selected load balancer has a backend pool with its name.
        shop/twice    | several load balancers have one with its name; remove all but one.
        shop/again    | several load balancers have one with its name; remove all but one.
        shop/six      | an older Service uses the pool of its name for the other IP family.
        shop/four     | an older Service uses the pool of its name for the other IP family.
        shop/six-old  | it does not exist, or is not a Service of type LoadBalancer with externalTrafficPolicy: Local.
        shop/pool     | it does not exist, or is not a Service of type LoadBalancer with externalTrafficPolicy: Local.
        """)
    void why_a_service_has_no_pool(String service, String why) throws IOException {
        StatusQuery query = new StatusQuery(Optional.of(service), false, 500, Optional.empty());
        StatusAnswer answer = StatusAnswer.to(query, TwoOfEverything.busy(), (name, pool, node) -> Optional.empty());

        List<String> lines = new StatusText(JsonMapper.builder().build().readTree(StatusJson.of(answer)))
                .lines(Optional.of(service));

        assertThat(lines.getLast()).isEqualTo(service + " has no pool: " + why);
        assertThat(lines).noneMatch(line -> line.endsWith(": no pool"));
    }

    /** The first pool has two Services; the others have its name or its load balancer. */
    @Test
    void a_nodes_service_is_named_only_if_this_pool_has_several() {
        StatusQuery query = new StatusQuery(Optional.empty(), false, 500, Optional.of("n1"));
        List<PoolStatus> pools = List.of(
                of(PoolKey.of("lb-1", "pool-1"), "web", "api"),
                of(PoolKey.of("lb-2", "pool-1"), "web"),
                of(PoolKey.of("lb-1", "pool-2"), "web"));
        StatusAnswer answer =
                StatusAnswer.to(query, Statuses.with(pools), (service, key, node) -> Optional.of(Statuses.NODE));

        assertThat(answer.nodes().stream()
                        .map(node -> PageModel.Node.of(node, pools).pool()))
                .containsExactly(
                        "lb-1/pool-1 for Service shop/web",
                        "lb-1/pool-1 for Service shop/api",
                        "lb-2/pool-1",
                        "lb-1/pool-2");
        assertThat(new StatusText(tree(answer)).lines(Optional.empty()))
                .filteredOn(line -> line.startsWith("Node n1"))
                .extracting(line -> line.replaceFirst(": .*", ""))
                .containsExactly(
                        "Node n1 in pool pool-1 for Service shop/web",
                        "Node n1 in pool pool-1 for Service shop/api",
                        "Node n1 in pool pool-1",
                        "Node n1 in pool pool-2");
    }

    private static PoolStatus of(PoolKey pool, String... services) {
        PoolStatus queued = Statuses.queued();
        return new PoolStatus(
                pool,
                Stream.of(services).map(name -> new ServiceName("shop", name)).toList(),
                queued.wanted(),
                true,
                queued.known(),
                0,
                Optional.empty(),
                queued.leaving());
    }

    /** Whatever answers at the address. */
    @Test
    void an_answer_is_safe_to_print() throws IOException {
        String hostile = JsonMapper.builder().build().writeValueAsString(HostileText.ALL);
        String name = JsonMapper.builder().build().writeValueAsString("shop/" + HostileText.ALL.replace("/", ""));
        JsonNode json = parsed("""
            {"summary": %1$s,
             "program": {"identity": %1$s},
             "cluster": {"election": {"leader": %1$s}, "resourceLock": {"holding": {"holder": %1$s}}},
             "engine": {"listing": {"withoutPool": [%2$s]}},
             "problems": [{"title": %1$s, "text": %1$s, "moments": %1$s, "remedy": %1$s}],
             "nodes": [{"node": %1$s, "pool": %1$s, "service": %1$s, "text": %1$s}],
             "pools": [{"services": [%1$s, %1$s], "loadBalancer": %1$s, "pool": %1$s,
               "difference": {"reason": %1$s, "since": %1$s, "until": %1$s, "text": %1$s, "remedy": %1$s}}]}
            """.formatted(hostile, name));

        for (Optional<String> service : List.of(Optional.<String>empty(), Optional.of("shop/web"))) {
            assertThat(new StatusText(json).lines(service)).allSatisfy(HostileText::assertSafe);
        }
    }
}
