package dev.poolkeeper.core.facts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.cluster.Unplaced.AmbiguousPool;
import dev.poolkeeper.core.cluster.Unplaced.FamilyClash;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.core.pool.Loss;
import dev.poolkeeper.ports.ArmError;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.IpFamily;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HoldTextsTest {

    private static final PoolKey POOL = PoolKey.of("lb-1", "shop-web");
    private static final ServiceName WEB = new ServiceName("shop", "web");
    private static final HoldCause PAUSED = new HoldCause.ServicePaused(WEB);

    private static HoldCause braked(Loss loss, Duration hold) {
        return new HoldCause.Braked("removal-1", loss, hold, Instant.EPOCH);
    }

    private static HoldCause tooMuch(Optional<String> namespace, Duration window) {
        return braked(new Loss.TooMuch(namespace, 15, 20, 10, window, 50), Duration.ofMinutes(10));
    }

    private static HoldCause ambiguous(Optional<PoolKey> maintained) {
        List<PoolKey> places = List.of(POOL, PoolKey.of("lb-2", "shop-web"));
        return new HoldCause.Ambiguous(new AmbiguousPool(WEB, POOL.pool(), places, maintained));
    }

    static Stream<Arguments> sentences() {
        Failure denied = new Failure.HttpError(403, new ArmError(403, "AuthorizationFailed", "Not you.", "c-1"));
        return Stream.of(
                Arguments.of(
                        new HoldCause.Paused(),
                        "All writes are paused by the configuration. Set paused to false to resume."),
                Arguments.of(
                        PAUSED,
                        "Service shop/web is paused by its annotation. Remove the annotation poolkeeper.dev/paused to"
                                + " resume."),
                Arguments.of(
                        new HoldCause.Forbidden(POOL, denied, Instant.EPOCH),
                        "Backend pool update held back: access to pool lb-1/shop-web is denied (HTTP 403"
                                + " AuthorizationFailed: Not you). Grant Poolkeeper's identity permission to read and"
                                + " write its backend address pools."),
                Arguments.of(
                        new HoldCause.ChangedBack(3, Instant.EPOCH),
                        "Backend pool was changed back by another writer 3 times and is written less often. Ensure that"
                                + " only one controller manages this pool."),
                Arguments.of(
                        new HoldCause.OthersMissing(),
                        "The pool is shared, and another Service's addresses have not been added yet. This Service's"
                                + " addresses are removed once those have been added."),
                Arguments.of(
                        tooMuch(Optional.of("shop"), Duration.ofSeconds(30)),
                        "Removal held back by the safety brake: the pools of namespace shop would lose 15 of 20"
                                + " addresses within 30 s, 10 of them by this removal; more than 50 % may not. Set"
                                + " safetyBrake.agreed to removal-1 to let it through before its hold of 10 min ends."),
                Arguments.of(
                        tooMuch(Optional.empty(), Duration.ofMinutes(1)),
                        "Removal held back by the safety brake: the load balancers would lose 15 of 20 addresses"
                                + " within 1 min, 10 of them by this removal; more than 50 % may not. Set"
                                + " safetyBrake.agreed to removal-1 to let it through before its hold of 10 min ends."),
                Arguments.of(
                        braked(new Loss.Everything(7, 60), Duration.ofSeconds(90)),
                        "Removal held back by the safety brake: no address is wanted in any pool; it would remove 7 of"
                                + " 60 addresses. Set safetyBrake.agreed to removal-1 to let it through before its hold"
                                + " of 90 s ends."),
                Arguments.of(
                        new HoldCause.Wave(Optional.of(Instant.EPOCH)),
                        "Removals are delayed briefly: more than a tenth of all addresses would leave the load"
                                + " balancers, and more may follow. It continues automatically."),
                Arguments.of(
                        new HoldCause.OverBudget(),
                        "Backend pool update held back: the retry budget is exhausted. It is retried when the budget"
                                + " allows it."),
                Arguments.of(
                        ambiguous(Optional.empty()),
                        "Backend pool shop-web is not written: several load balancers have a pool of that name"
                                + " (lb-1/shop-web, lb-2/shop-web). Remove all but one, or configure which load"
                                + " balancers belong to this cluster."),
                Arguments.of(
                        ambiguous(Optional.of(POOL)),
                        "Backend pool shop-web is written on load balancer lb-1 only, as before: several load balancers"
                                + " have a pool of that name (lb-1/shop-web, lb-2/shop-web). Remove all but one, or"
                                + " configure which load balancers belong to this cluster."),
                Arguments.of(
                        new HoldCause.FamilyTaken(
                                new FamilyClash(WEB, POOL, IpFamily.IPV6, new ServiceName("shop", "old"))),
                        "Backend pool shop-web does not serve the Service's IPv6 family: the older Service shop/old"
                                + " uses it for the other one. Rename one of the Services: ARM refuses a pool with"
                                + " addresses of both families."));
    }

    @ParameterizedTest
    @MethodSource("sentences")
    void a_cause_is_two_sentences(HoldCause because, String sentences) {
        assertThat(HoldTexts.message(because)).isEqualTo(sentences);
    }

    @ParameterizedTest
    @MethodSource("sentences")
    void a_service_is_told_the_same_and_of_a_pause_also_what_its_pool_keeps(HoldCause because, String sentences) {
        assertThat(HoldTexts.event(because))
                .isEqualTo(
                        because.equals(PAUSED)
                                ? "Service shop/web is paused by its annotation. It shares this pool: its changes"
                                        + " wait, and what it wanted before stays. Remove the annotation"
                                        + " poolkeeper.dev/paused to resume."
                                : sentences);
    }

    @ParameterizedTest
    @CsvSource({"0, 0 min", "30, 30 s", "60, 1 min", "90, 90 s", "600, 10 min", "3600, 60 min", "3601, 3601 s"})
    void a_hold_is_told_in_whole_minutes_or_else_in_seconds(long seconds, String words) {
        assertThat(HoldTexts.remedy(braked(new Loss.Everything(7, 60), Duration.ofSeconds(seconds))))
                .isEqualTo(
                        "Set safetyBrake.agreed to removal-1 to let it through before its hold of " + words + " ends.");
    }
}
