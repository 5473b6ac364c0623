package dev.poolkeeper.lab.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.core.facts.UpdateCounts;
import dev.poolkeeper.core.freshness.Freshness;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.FakeServiceEvents.Emitted;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.ArmName;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceEvent;
import dev.poolkeeper.ports.ServiceEvent.Reason;
import dev.poolkeeper.ports.ServiceName;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.Help.Ansi;

/** What is reported of several Services, pools and load balancers. */
class ReplayReportTest {

    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final ServiceName API = new ServiceName("shop", "api");
    private static final PoolKey ONE = PoolKey.of("lb-1", "shop-web");
    private static final PoolKey TWO = PoolKey.of("lb-2", "shop-web");
    private static final PoolKey THREE = PoolKey.of("lb-2", "shop-api");
    private static final PoolKey FOUR = PoolKey.of("lb-3", "shop-api");

    private static Instant at(long millis) {
        return Instant.EPOCH.plusMillis(millis);
    }

    private static Emitted event(long millis, ServiceName service, PoolKey pool, Reason reason, String message) {
        return new Emitted(at(millis), new ServiceEvent(service, pool, reason, message));
    }

    private static PoolResult pool(PoolKey key, ServiceName service, String desired, String actual) {
        return new PoolResult(
                key, List.of(service.toString()), List.of(desired), List.of(actual), desired.equals(actual));
    }

    private static final List<Emitted> EVENTS = List.of(
            event(0, WEB, ONE, Reason.UPDATED, "one"),
            event(1_500, WEB, TWO, Reason.RETRYING, "two"),
            event(2_000, WEB, TWO, Reason.FAILED, "three"),
            event(3_000, API, THREE, Reason.FAILED, "four"),
            event(4_000, API, THREE, Reason.UPDATED, "five"));
    private static final List<Call> CALLS = List.of(
            new Call(at(0), "PUT", ONE, 200),
            new Call(at(10), "GET", ONE, 200),
            new Call(at(20), "PUT", THREE, 409),
            new Call(at(2_500), "PUT", THREE, 503),
            new Call(at(30), "GET", TWO, 200));

    private static ReplayResult result(List<Emitted> events, List<Call> calls) {
        return new ReplayResult(
                UpdateModel.DESIRED_STATE,
                List.of(
                        pool(ONE, WEB, "10.0.0.1", "10.0.0.1"),
                        pool(TWO, WEB, "10.0.0.1", "10.0.0.2"),
                        pool(THREE, API, "10.0.0.3", "10.0.0.4"),
                        pool(FOUR, API, "10.0.0.5", "10.0.0.6")),
                events,
                calls,
                List.of("a remark", "another"),
                new UpdateCounts(),
                new FreshnessResult(
                        1,
                        Duration.ofMillis(2),
                        Duration.ofMillis(3),
                        Duration.ofMillis(4),
                        Duration.ofMillis(5_000),
                        Duration.ofMillis(6),
                        Duration.ofMillis(7),
                        Duration.ofMillis(8),
                        9,
                        10),
                List.of(
                        new AmbiguousPool(WEB, ArmName.of("shop-web"), List.of(ONE, TWO), Optional.of(TWO)),
                        new AmbiguousPool(API, ArmName.of("shop-api"), List.of(THREE, FOUR), Optional.empty())),
                List.of(new FamilyClash(API, THREE, IpFamily.IPV6, WEB)));
    }

    @Test
    void each_pool_event_and_call_is_in_the_summary() {
        assertThat(ReplaySummary.lines(result(EVENTS, CALLS), 200))
                .containsExactly(
                        "",
                        "Pools    1 of 4 converged",
                        "Events   2 LoadBalancerBackendPoolUpdated, 1 LoadBalancerBackendPoolUpdateRetrying,"
                                + " 2 LoadBalancerBackendPoolUpdateFailed",
                        "Calls    2 GET 200, 1 PUT 200, 1 PUT 409, 1 PUT 503",
                        "a remark",
                        "another",
                        "Apart    lb-2/shop-web holds [10.0.0.2], should hold [10.0.0.1]: the last event of shop/web:"
                                + " three",
                        "Apart    lb-2/shop-api holds [10.0.0.4], should hold [10.0.0.3]: its last call, PUT at"
                                + " +2.5 s, was answered 503",
                        "Apart    lb-3/shop-api holds [10.0.0.6], should hold [10.0.0.5]: it was never tried, because"
                                + " no EndpointSlice of its Service was seen",
                        "Ambiguous shop/web stays on lb-2: several load balancers hold a pool shop-web",
                        "Ambiguous shop/api is not local: several load balancers hold a pool shop-api",
                        "Clash    shop/api is not local in IPv6: the older shop/web uses the pool lb-2/shop-api for"
                                + " the other IP family");
    }

    @Test
    void without_events_and_calls_the_summary_says_so_and_holds_are_counted_only_if_there_were_some() {
        assertThat(ReplaySummary.lines(result(List.of(), List.of()), 200))
                .contains(
                        "Events   0 LoadBalancerBackendPoolUpdated, 0 LoadBalancerBackendPoolUpdateRetrying,"
                                + " 0 LoadBalancerBackendPoolUpdateFailed",
                        "Calls    none");
        assertThat(ReplaySummary.lines(result(List.of(event(0, WEB, ONE, Reason.HELD, "held")), List.of()), 200))
                .contains("Events   0 LoadBalancerBackendPoolUpdated, 0 LoadBalancerBackendPoolUpdateRetrying,"
                        + " 0 LoadBalancerBackendPoolUpdateFailed, 1 LoadBalancerBackendPoolUpdateHeld");
    }

    @Test
    void a_result_is_explained_if_each_pool_apart_has_an_event_of_its_failure() {
        assertThat(result(EVENTS, CALLS).isExplained()).isFalse();
        Emitted four = event(5_000, API, FOUR, Reason.FAILED, "six");
        List<Emitted> all = List.of(EVENTS.get(2), EVENTS.get(3), four);
        assertThat(result(all, CALLS).isExplained()).isTrue();
        for (Emitted left : all) {
            assertThat(result(all.stream().filter(each -> !each.equals(left)).toList(), CALLS)
                            .isExplained())
                    .isFalse();
        }
        assertThat(result(List.of(EVENTS.get(1), EVENTS.get(3), four), CALLS).isExplained())
                .isFalse();
        assertThat(result(List.of(EVENTS.get(2), EVENTS.get(3), event(0, WEB, FOUR, Reason.FAILED, "x")), CALLS)
                        .isExplained())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "UPDATED, 'updated ', 32",
        "RETRYING, retrying, 33",
        "HELD, 'held    ', 33",
        "FAILED, 'FAILED  ', 31",
    })
    void an_event_has_its_outcome_in_its_colour(Reason reason, String outcome, int colour) {
        Emitted emitted = event(22_500, WEB, ONE, reason, "why");
        assertThat(ReplaySummary.lines(emitted, Ansi.OFF, 200))
                .containsExactly("     +22.5 s  " + outcome + "  shop/web  lb-1/shop-web: why");
        assertThat(ReplaySummary.lines(emitted, Ansi.ON, 200))
                .singleElement()
                .asString()
                .contains("\u001b[" + colour + "m" + outcome + "\u001b[39m");
    }

    @Test
    void each_field_is_in_the_report() throws Exception {
        StringWriter report = new StringWriter();
        ReportJson.write(result(EVENTS.subList(1, 3), CALLS.subList(3, 4)), report);
        assertThat(report.toString().replaceAll("\\s", "")).isEqualTo("""
            {"model":"desired-state",
            "pools":[
            {"loadBalancer":"lb-1","pool":"shop-web","services":["shop/web"],
            "desired":["10.0.0.1"],"actual":["10.0.0.1"],"converged":true},
            {"loadBalancer":"lb-2","pool":"shop-web","services":["shop/web"],
            "desired":["10.0.0.1"],"actual":["10.0.0.2"],"converged":false},
            {"loadBalancer":"lb-2","pool":"shop-api","services":["shop/api"],
            "desired":["10.0.0.3"],"actual":["10.0.0.4"],"converged":false},
            {"loadBalancer":"lb-3","pool":"shop-api","services":["shop/api"],
            "desired":["10.0.0.5"],"actual":["10.0.0.6"],"converged":false}],
            "events":[
            {"atMillis":1500,"service":"shop/web","type":"Warning",
            "reason":"LoadBalancerBackendPoolUpdateRetrying","message":"two"},
            {"atMillis":2000,"service":"shop/web","type":"Warning",
            "reason":"LoadBalancerBackendPoolUpdateFailed","message":"three"}],
            "calls":[{"atMillis":2500,"method":"PUT","loadBalancer":"lb-2","pool":"shop-api","status":503}],
            "metrics":{"succeeded":0,"failed":0,"retried":0},
            "freshness":{"changes":1,"p50Millis":2,"p90Millis":3,"p99Millis":4,"maxMillis":5000,
            "outageMillis":6,"missingAddressMillis":7,"staleAddressMillis":8,"reads":9,"writes":10}}
            """.replace("\n", ""));
    }

    @ParameterizedTest
    @CsvSource({
        "'', 0, 0, 0, 0, 0",
        "7, 7, 7, 7, 7, 0",
        "1 2 3 4 5 6 7 8 9 10, 5, 9, 10, 10, 0",
        "10 9 8 7 6 5 4 3 2 1, 5, 9, 10, 10, 0",
        "1 2 3, 2, 3, 3, 3, 0",
        "1 2 3, 2, 3, 3, 4, 4",
        "1 2 3, 2, 3, 3, 3, 2",
        "'', 0, 0, 0, 9, 9"
    })
    void the_age_of_changes_is_that_of_written_ones_and_the_longest_also_of_open_ones(
            String seconds, int p50, int p90, int p99, int max, int open) {
        UpdateCounts counts = new UpdateCounts();
        for (String each : seconds.isEmpty() ? new String[0] : seconds.split(" ")) {
            counts.accept(
                    new dev.poolkeeper.core.facts.Fact.ChangeWritten(ONE, Duration.ofSeconds(Integer.parseInt(each))));
        }
        Instant end = at(100_000);
        Freshness.Snapshot snapshot = new Freshness.Snapshot(
                Set.of(ONE),
                open == 0 ? Optional.empty() : Optional.of(end.minusSeconds(open)),
                Duration.ofSeconds(21),
                Duration.ofSeconds(22),
                Duration.ofSeconds(23));
        assertThat(FreshnessResult.of(snapshot, counts, CALLS, end))
                .isEqualTo(new FreshnessResult(
                        seconds.isEmpty() ? 0 : seconds.split(" ").length,
                        Duration.ofSeconds(p50),
                        Duration.ofSeconds(p90),
                        Duration.ofSeconds(p99),
                        Duration.ofSeconds(max),
                        Duration.ofSeconds(21),
                        Duration.ofSeconds(22),
                        Duration.ofSeconds(23),
                        2,
                        3));
    }
}
