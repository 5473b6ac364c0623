package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.pool.HoldCause;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.Term;
import dev.poolkeeper.ports.WriteQuota;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The instants that the status names, when there are several, or when what they are about begins again. */
class StatusMomentsTest {

    private final EngineFixture the = new EngineFixture();

    private Instant pass() {
        the.time.advance(Duration.ofMinutes(1));
        return the.time.instant();
    }

    private Difference difference() {
        return the.status("web").difference().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"2, 5, 8", "2, 8, 5", "5, 2, 8", "5, 8, 2", "8, 2, 5", "8, 5, 2"})
    void of_several_parked_pools_the_first_and_the_last_that_goes_on(int one, int two, int three) {
        parkedFor("one", one);
        parkedFor("two", two);
        parkedFor("three", three);
        the.lead();
        the.tick();
        EngineStatus.Work work = the.engine.status().work();
        Instant now = the.time.instant();
        assertThat(work.parkedPools()).isEqualTo(3);
        assertThat(work.nextEligibleAt()).contains(now.plus(Duration.ofMinutes(2)));
        assertThat(work.lastEligibleAt()).contains(now.plus(Duration.ofMinutes(8)));
    }

    private void parkedFor(String name, int minutes) {
        the.cloud.putPool(PoolKey.of("lb-" + name, "shop-" + name), EngineFixture.addresses());
        the.service(name, 1);
        the.fault(FaultRule.always(429)
                .retryAfter(Duration.ofMinutes(minutes))
                .forLoadBalancer("lb-" + name)
                .times(1));
    }

    @Test
    void leadership_counts_from_its_last_change() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
        the.engine.stopLeading();
        the.endpoints("web", 2);
        for (int i = 0; i < 3; i++) {
            Term term = Term.during(() -> true);
            Instant gained = pass();
            the.engine.startLeading(term);
            pass();
            the.engine.startLeading(term); // as before
            assertThat(the.engine.status().leadingSince()).contains(gained);
            assertThat(difference().reason()).isEqualTo(Difference.Reason.NOT_LISTED);
            assertThat(difference().since()).contains(gained);

            Instant lost = pass();
            the.engine.stopLeading();
            pass();
            the.engine.stopLeading(); // as before
            assertThat(the.engine.status().leadingSince()).contains(lost);
            assertThat(difference().reason()).isEqualTo(Difference.Reason.NOT_LEADING);
            assertThat(difference().since()).contains(lost);
        }
    }

    @Test
    void a_hold_for_another_cause_than_before_counts_from_the_change_and_the_same_one_from_its_beginning() {
        the.pool("web", EngineFixture.range(1, 50));
        the.service("web", EngineFixture.range(1, 50));
        the.lead();
        the.tick();
        the.endpoints("web", 1);
        Instant changed = the.time.instant();
        the.tick();
        Instant braked = the.time.instant();
        pass();
        assertThat(heldBy()).isEqualTo(HoldCause.By.SAFETY_BRAKE);
        assertThat(difference().since()).contains(braked);

        the.put("web", true, 1);
        assertThat(heldBy()).isEqualTo(HoldCause.By.SERVICE_PAUSE);
        assertThat(difference().since()).contains(changed);

        the.put("web", false, 2);
        assertThat(heldBy()).isEqualTo(HoldCause.By.SAFETY_BRAKE);
        assertThat(difference().since()).contains(braked);
    }

    private HoldCause.By heldBy() {
        return ((Why.OnHold) difference().why()).held().by();
    }

    @Test
    void each_pause_of_all_writes_counts_from_its_beginning() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
        for (int i = 2; i < 5; i++) {
            Instant begun = pass();
            the.engine.pause(true);
            the.endpoints("web", i);
            the.tick();
            the.engine.pause(true); // the configuration is read again
            the.tick();
            assertThat(difference().reason()).isEqualTo(Difference.Reason.HELD);
            assertThat(difference().since()).contains(begun);

            the.engine.pause(false);
            the.tick();
            assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(i));
        }
    }

    @Test
    void what_concerns_all_pools_is_asked_once() {
        AtomicInteger asked = new AtomicInteger();
        UpdateFixture f = new UpdateFixture(
                EngineSettings.DEFAULT,
                builder -> builder.quota(() -> {
                    asked.incrementAndGet();
                    return WriteQuota.Level.LAST;
                }),
                UnaryOperator.identity());
        f.want(UpdateFixture.WEB, UpdateFixture.POOL, "10.0.0.1");
        f.want(UpdateFixture.API, UpdateFixture.OTHER_POOL, "10.0.0.2");
        asked.set(0);
        assertThat(f.engine.status().pools())
                .extracting(pool -> pool.difference().orElseThrow().why())
                .containsExactly(Why.Plain.SHORT_OF_QUOTA, Why.Plain.SHORT_OF_QUOTA);
        assertThat(asked).hasValue(1);
    }
}
