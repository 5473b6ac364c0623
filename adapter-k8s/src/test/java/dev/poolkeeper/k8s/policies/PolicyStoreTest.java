package dev.poolkeeper.k8s.policies;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.poolkeeper.fake.FakeTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PolicyStoreTest {

    private final FakeTime time = new FakeTime();
    private final List<Boolean> reported = new ArrayList<>();
    private RuntimeException thrown;
    private Error error;
    private final PolicyStore store = new PolicyStore(time, snapshot -> {
        if (error != null) {
            throw error;
        }
        if (thrown != null) {
            throw thrown;
        }
        reported.add(snapshot.targetExists());
    });

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void after_a_listener_that_threw_the_next_change_is_reported(boolean isError) {
        // given
        for (PolicyKind kind : PolicyKind.values()) {
            store.replace(kind, Map.of());
        }
        error = isError ? new StackOverflowError("planted") : null;
        thrown = new IllegalStateException("planted");
        store.target(true);
        assertThatThrownBy(time::runDue).hasMessage("planted");
        // when
        error = null;
        thrown = null;
        store.target(false);
        time.runDue();
        // then
        assertThat(reported).containsExactly(false);
    }
}
