package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.core.engine.Difference;
import dev.poolkeeper.core.engine.PoolStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
        assertThat(PoolSummary.of(List.of(pool, pool), 0)).isEqualTo("0 of 2 pools in step, 2 " + words);
        assertThat(new StatusText(json(pool)).lines(Optional.empty())).contains("shop/quick: " + words);
    }
}
