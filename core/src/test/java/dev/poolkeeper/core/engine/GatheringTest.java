package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.guard.SafetyBrake;
import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.fake.cloud.Call;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ServiceName;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Changes of a pool are batched while guards hold a part of it, whose wait is not theirs. */
class GatheringTest {

    private static final ServiceName OURS = new ServiceName("a", "b-c");
    private static final ServiceName OUR_OTHER = new ServiceName("a", "x");
    private static final ServiceName THEIRS = new ServiceName("a-b", "c");

    private final EngineFixture the = new EngineFixture(
            EngineSettings.DEFAULT.withPace(Pace.Eager.DEFAULT).withResync(Duration.ZERO));
    private final PoolKey shared = PoolKey.of("lb-1", "a-b-c");

    @BeforeEach
    void inStep() {
        the.inStep(OURS, 1);
        the.inStep(THEIRS, EngineFixture.range(1, 60));
        the.lead();
        the.engine.listIfDue();
        pass(Duration.ofSeconds(40));
        assertThat(the.calls()).isEmpty();
    }

    private void pass(Duration duration) {
        Instant end = the.time.instant().plus(duration);
        while (the.time.instant().isBefore(end)) {
            the.time.advance(Duration.ofMillis(100));
            Ticks.of(the.engine).join();
        }
    }

    private void hold(HoldCause.By cause) {
        switch (cause) {
            case SERVICE_PAUSE -> {
                the.put(THEIRS, true, 1);
                the.endpoints(THEIRS, 1, 2);
                pass(Duration.ofSeconds(10));
            }
            case SAFETY_BRAKE -> {
                the.endpoints(THEIRS, 1);
                pass(Duration.ofSeconds(60));
                assertThat(the.braked()).hasSize(1);
            }
            case REMOVAL_WAVE -> {
                the.endpoints(THEIRS, EngineFixture.range(1, 38));
                pass(Duration.ofSeconds(2));
            }
            default -> throw new IllegalArgumentException("not of a part: " + cause);
        }
        assertThat(the.size(shared)).isEqualTo(60);
    }

    private void changeThirtyTimesInThreeSeconds(ServiceName service) {
        for (int change = 1; change <= 30; change++) {
            pass(Duration.ofMillis(100));
            the.endpoints(service, EngineFixture.all(EngineFixture.range(1, 1), 60 + change));
        }
        pass(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVICE_PAUSE", "SAFETY_BRAKE", "REMOVAL_WAVE"})
    @Rule(
            id = "C103",
            says = "What a guard holds of a pool was taken up: further changes of the pool are gathered from the first"
                    + " of them, not written one by one, and do not count as having waited since then.",
            source = "contract, section 5, eager, rule 1")
    void what_is_held_of_one_service_does_not_hurry_changes_of_another(HoldCause.By cause) {
        hold(cause);
        long before = the.writes();
        the.facts.clear();

        changeThirtyTimesInThreeSeconds(OURS);

        assertThat(the.cloud.addresses(shared).orElseThrow().common(EngineFixture.addresses(90)))
                .isOne();
        assertThat(the.writes() - before).isEqualTo(3);
        assertThat(the.facts.stream()
                        .filter(Fact.Written.class::isInstance)
                        .map(fact -> ((Fact.Written) fact).sinceChange()))
                .allMatch(Duration.ofMillis(1000)::equals);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void what_is_held_of_a_service_does_not_hurry_its_own_changes(boolean braked) {
        hold(braked ? HoldCause.By.SAFETY_BRAKE : HoldCause.By.REMOVAL_WAVE);
        long before = the.writes();

        changeThirtyTimesInThreeSeconds(THEIRS);

        assertThat(the.cloud.addresses(shared).orElseThrow().common(EngineFixture.addresses(90)))
                .isOne();
        assertThat(the.writes() - before).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Rule(
            id = "C120",
            says = "The time in a hold of a paused Service, or in one of the safety brake, does not count as waiting:"
                    + " what is let go takes precedence over other pools only after it has waited for the longest"
                    + " wait since then.",
            source = "contract, section 5, eager, rule 3")
    void what_was_held_for_long_does_not_go_before_an_outage(boolean braked) {
        PoolKey other = the.inStep(OUR_OTHER, 1);
        the.engine.askForListing();
        the.engine.listIfDue();
        the.put(THEIRS, !braked, 1);
        the.endpoints(THEIRS, EngineFixture.range(1, braked ? 1 : 59));
        pass(Pace.Eager.DEFAULT.longestWait().plusSeconds(10));
        assertThat(the.size(shared)).isEqualTo(60);

        the.endpoints(OUR_OTHER, 50);
        the.time.advance(Pace.Eager.DEFAULT.gather());
        int before = the.cloud.calls().size();
        if (braked) {
            the.engine.agreeToRemovals(Set.of(SafetyBrake.ALL));
        } else {
            the.put(THEIRS, false, 2);
        }
        Ticks.of(the.engine).join();

        assertThat(the.callsSince(before).stream().map(Call::pool).distinct()).containsExactly(other, shared);
    }
}
