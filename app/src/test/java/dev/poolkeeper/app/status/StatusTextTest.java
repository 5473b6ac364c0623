package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.core.engine.PoolStatus;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
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

    @ParameterizedTest
    @MethodSource("pools")
    void the_text_and_the_page_have_the_same_state(PoolStatus pool) throws Exception {
        StatusQuery query = new StatusQuery(Optional.empty(), false, 500, Optional.empty());
        StatusAnswer answer =
                StatusAnswer.to(query, Statuses.with(List.of(pool)), (service, key, node) -> Optional.empty());

        List<String> lines = new StatusText(JsonMapper.builder().build().readTree(StatusJson.of(answer)))
                .lines(Optional.of(pool.services().getFirst().toString()));

        assertThat(lines.getLast()).contains("  " + PoolSummary.state(pool) + "  ");
    }
}
