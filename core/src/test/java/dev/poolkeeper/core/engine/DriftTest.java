package dev.poolkeeper.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.Failure;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What counts as another writer changing a pool back. */
class DriftTest {

    private final EngineFixture the = new EngineFixture();

    private void weWrote(int node) {
        the.endpoints("web", node);
        the.tick();
        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(node));
    }

    private void inStep() {
        the.pool("web", 1);
        the.service("web", 1);
        the.lead();
        the.tick();
        weWrote(2);
    }

    /** Requests a comparison immediately, like an operator. */
    private void compare(int fingerprint) {
        the.put("web", false, fingerprint);
        the.run(Duration.ofSeconds(31));
    }

    @Test
    @Rule(
            id = "C29",
            says = "A pool counts as changed back by another writer once per successful write of ours, however"
                    + " many attempts the next write takes.",
            source = "ours")
    void failed_writes_are_no_fight() {
        inStep();
        the.pool("web", 1);
        the.fault(FaultRule.always(409).forMethod("PUT").times(3));
        compare(1);
        the.run(Duration.ofMinutes(2));

        assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
        assertThat(the.engine.status().holds().fights()).isEmpty();
        assertThat(the.reasons()).doesNotContain("shop/web HELD");
    }

    @Test
    void attempts_held_by_the_brake_are_no_fight() {
        int[] many = EngineFixture.range(1, 40);
        the.pool("web", 50);
        the.service("web", 50);
        the.lead();
        the.tick();
        weWrote(51);
        the.pool("web", many);
        compare(1);
        for (int node = 60; node < 66; node++) { // reads, because there are addresses to add
            the.endpoints("web", 51, node);
            the.tick();
        }
        assertThat(the.braked()).isNotEmpty();
        assertThat(the.writes()).isEqualTo(8);
        assertThat(the.engine.status().holds().fights()).isEmpty();
    }

    @Test
    @Rule(
            id = "C30",
            says = "The effect of our own write with an unknown outcome is not attributed to another writer:"
                    + " the next change is written at the next tick.",
            source = "ours")
    void our_own_writes_with_a_lost_response_are_no_fight() {
        inStep();
        for (int i = 0; i < 4; i++) {
            the.onWritten = landed -> Reply.failed(Failure.Other.terminal("no answer"));
            the.endpoints("web", 3);
            the.tick();
            assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(3));
            the.onWritten = landed -> landed;
            weWrote(2);
        }
        weWrote(4);
        assertThat(the.engine.status().holds().fights()).isEmpty();
        assertThat(the.reasons()).doesNotContain("shop/web HELD");
    }

    @Test
    void a_write_that_another_writer_overwrites_at_once_counts_once() {
        inStep();
        AtomicInteger another = new AtomicInteger(90);
        the.onWritten = landed -> {
            the.pool("web", another.incrementAndGet());
            return the.cloud.read(EngineFixture.key("web"));
        };
        the.endpoints("web", 3);
        the.run(Duration.ofSeconds(90));
        assertThat(the.engine.status().holds().fights()).containsOnlyKeys(EngineFixture.key("web"));
        assertThat(the.writes()).isEqualTo(4);
        assertThat(the.reasons()).containsExactly("shop/web UPDATED");

        the.tick();
        assertThat(the.reasons()).containsExactly("shop/web UPDATED", "shop/web HELD");
        assertThat(the.writes()).isEqualTo(4);
    }

    @Test
    void writes_of_another_replica_in_its_term_are_no_fight() {
        inStep();
        for (int i = 0; i < 4; i++) {
            the.engine.stopLeading();
            the.endpoints("web", 7);
            the.pool("web", 7);
            the.endpoints("web", 2);
            the.lead();
            the.run(Duration.ofSeconds(31));
            assertThat(the.held("web")).isEqualTo(EngineFixture.addresses(2));
        }
        assertThat(the.engine.status().holds().fights()).isEmpty();
        assertThat(the.reasons()).doesNotContain("shop/web HELD");
    }
}
