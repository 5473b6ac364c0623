package dev.poolkeeper.core.engine;

import static dev.poolkeeper.core.engine.UpdateFixture.POOL;
import static dev.poolkeeper.core.engine.UpdateFixture.WEB;
import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.core.facts.Fact;
import dev.poolkeeper.core.merge.UpdateModel;
import dev.poolkeeper.fake.cloud.FaultRule;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.BackendPool;
import dev.poolkeeper.ports.BackendPools;
import dev.poolkeeper.ports.CallContext;
import dev.poolkeeper.ports.PoolKey;
import dev.poolkeeper.ports.ProvisioningState;
import dev.poolkeeper.ports.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The facts about an attempt's read and write. */
class CallFactsTest {

    private static final AddressSet WANTED = AddressSet.of("10.0.0.1");

    private final List<Fact> facts = new CopyOnWriteArrayList<>();
    private UnaryOperator<Reply<BackendPool>> afterWrite = written -> written;

    private final UpdateFixture f = new UpdateFixture(
            EngineSettings.REFERENCE.withModel(UpdateModel.DESIRED_STATE),
            builder -> builder.facts(facts::add),
            real -> new BackendPools() {
                @Override
                public Reply<BackendPool> read(PoolKey pool, CallContext context) {
                    return real.read(pool, context);
                }

                @Override
                public Reply<BackendPool> write(BackendPool read, AddressSet addresses, CallContext context) {
                    return afterWrite.apply(real.write(read, addresses, context));
                }
            });

    private List<String> kinds() {
        return facts.stream()
                .filter(Fact.OfAttempt.class::isInstance)
                .map(fact -> fact.getClass().getSimpleName())
                .toList();
    }

    private <T extends Fact> T only(Class<T> kind) {
        List<T> found = facts.stream().filter(kind::isInstance).map(kind::cast).toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void a_read_and_a_write_come_back_with_the_pool() {
        f.want(WEB, POOL, "10.0.0.1");
        f.tick();
        assertThat(kinds())
                .containsExactly("Began", "ReadEnded", "Writes", "WriteEnded", "Written", "Updated", "Ended");
        assertThat(only(Fact.Began.class).isRetry()).isFalse();
        assertThat(only(Fact.ReadEnded.class).reply())
                .isInstanceOfSatisfying(
                        Reply.Ok.class,
                        ok -> assertThat(((BackendPool) ok.value()).addresses()).isEmpty());
        assertThat(only(Fact.WriteEnded.class).plan().planned()).isEqualTo(WANTED);
        assertThat(only(Fact.WriteEnded.class).reply())
                .isInstanceOfSatisfying(
                        Reply.Ok.class,
                        ok -> assertThat(((BackendPool) ok.value()).addresses()).isEqualTo(WANTED));
    }

    @Test
    void a_call_has_the_times_of_its_begin_and_its_end_although_both_are_told_after_it() {
        Instant begun = f.time.instant().plus(UpdateFixture.INTERVAL);
        afterWrite = written -> {
            f.time.advance(Duration.ofSeconds(40));
            return written;
        };
        f.want(WEB, POOL, "10.0.0.1");
        f.tick();
        assertThat(facts)
                .filteredOn(Fact.OfCall.class::isInstance)
                .map(fact -> Duration.between(begun, ((Fact.OfCall) fact).at()).toSeconds())
                .containsExactly(0L, 0L, 0L, 40L);
    }

    @Test
    void a_call_that_fails_comes_back_with_the_failure_and_the_next_attempt_is_a_retry() {
        f.fault(FaultRule.always(409).times(1));
        f.want(WEB, POOL, "10.0.0.1");
        f.tick();
        assertThat(kinds()).containsExactly("Began", "ReadEnded", "Retrying", "Ended");
        assertThat(only(Fact.ReadEnded.class).reply()).isInstanceOf(Reply.Failed.class);
        facts.clear();
        f.tick();
        assertThat(only(Fact.Began.class).isRetry()).isTrue();
    }

    private void writeFinds(String found, ProvisioningState state) {
        AddressSet addresses = AddressSet.of(found);
        afterWrite = written -> {
            f.cloud.putPool(POOL, addresses);
            return Reply.ok(new BackendPool(POOL, addresses, null, null, state, Optional.empty()));
        };
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.2, SUCCEEDED, false",
        "10.0.0.1, SUCCEEDED, false",
        "10.0.0.3, SUCCEEDED, true",
        "10.0.0.3, UPDATING, false",
        "10.0.0.3, FAILED, false"
    })
    void only_what_is_neither_new_nor_old_and_in_force_is_another_writers(
            String found, ProvisioningState state, boolean another) {
        f.want(WEB, POOL, "10.0.0.1");
        f.tick();
        facts.clear();
        f.want(WEB, POOL, "10.0.0.2");
        writeFinds(found, state);
        f.tick();
        assertThat(facts)
                .filteredOn(Fact.Overwritten.class::isInstance)
                .map(fact -> ((Fact.Overwritten) fact).found())
                .isEqualTo(another ? List.of(AddressSet.of(found)) : List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.0.0.1", "10.9.0.1"})
    void a_call_of_an_ended_term_comes_back_and_has_no_consequences(String found) {
        f.want(WEB, POOL, "10.0.0.1");
        writeFinds(found, ProvisioningState.SUCCEEDED);
        UnaryOperator<Reply<BackendPool>> finds = afterWrite;
        afterWrite = written -> {
            f.engine.stopLeading();
            return finds.apply(written);
        };
        f.tick();
        assertThat(kinds()).containsExactly("Began", "ReadEnded", "Writes", "WriteEnded", "Ended");
    }
}
