package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.core.engine.EngineStatus;
import dev.poolkeeper.core.engine.PoolStatus;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.ports.AddressSet;
import dev.poolkeeper.ports.ServiceName;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is too long for the page or the text is counted. */
class PageLimitsTest {

    private static final DaemonStatus IDLE = TwoOfEverything.idle();

    private static StatusQuery query(@Nullable String service, int limit) {
        return new StatusQuery(Optional.ofNullable(service), false, limit, Optional.empty());
    }

    private static DaemonStatus with(int faults, List<ServiceName> withoutPool, List<PoolStatus> pools) {
        EngineStatus engine = IDLE.engine();
        EngineStatus.Listing listing = engine.listing();
        return new DaemonStatus(
                IDLE.program(),
                new EngineStatus(
                        engine.at(),
                        engine.leading(),
                        engine.leadingSince(),
                        new EngineStatus.Listing(
                                listing.last(),
                                listing.failure(),
                                listing.next(),
                                listing.lastResync(),
                                listing.nextResync(),
                                withoutPool,
                                List.of(),
                                List.of()),
                        engine.work(),
                        engine.holds(),
                        engine.freshness(),
                        pools),
                IDLE.cluster(),
                IDLE.azure(),
                new DaemonStatus.Settings(
                        false,
                        IDLE.settings().live(),
                        IntStream.rangeClosed(1, faults)
                                .mapToObj(number -> new InputFault("a.yaml", "key" + number, "is wrong"))
                                .toList()),
                IDLE.readinessGate(),
                IDLE.policies(),
                List.of(),
                List.of());
    }

    private static List<ServiceName> services(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> new ServiceName("shop", "web-" + number))
                .toList();
    }

    private static StatusAnswer answer(StatusQuery query, DaemonStatus status) {
        return StatusAnswer.to(query, status, (service, pool, node) -> Optional.empty());
    }

    private static List<String> text(StatusQuery query, DaemonStatus status) throws IOException {
        return new StatusText(JsonMapper.builder().build().readTree(StatusJson.of(answer(query, status))))
                .lines(query.service());
    }

    @ParameterizedTest
    @CsvSource({"0, false, ''", "1, true, ''", "100, true, ''", "101, true, And 1 more.", "250, true, And 150 more."})
    void the_page_shows_a_hundred_problems(int faults, boolean troubled, String more) {
        PageModel page = PageModel.of(answer(query(null, 500), with(faults, List.of(), List.of())), query(null, 500));

        assertThat(page.problems()).hasSize(Math.min(faults, 100));
        assertThat(page.problemsLeftOut()).isEqualTo(more);
        assertThat(page.troubled()).isEqualTo(troubled);
        assertThat(page.hasProblems()).isEqualTo(troubled);
        String html = StatusHtml.of(answer(query(null, 500), with(faults, List.of(), List.of())), query(null, 500));
        assertThat(html.contains("<p>And ")).isEqualTo(!more.isEmpty());
        assertThat(html).contains(more.isEmpty() ? "" : "<p>" + more + "</p>");
    }

    @ParameterizedTest
    @CsvSource({"0, '', 0", "100, '', 100", "101, ' and 1 more', 100", "250, ' and 150 more', 100"})
    void the_page_names_a_hundred_services_without_a_pool(int count, String more, int named) {
        DaemonStatus status = with(0, services(count), List.of());

        String page = PageModel.of(answer(query("shop/", 500), status), query("shop/", 500))
                .withoutPool();

        assertThat(page.replaceFirst(".*\\)", "")).isEqualTo(more);
        assertThat(page).doesNotContain("shop/web-101 ");
        assertThat(page.split("shop/web-", -1)).hasSize(named + 1);
    }

    @ParameterizedTest
    @CsvSource({"web-250, 1", "shop/web-250, 1", "web-25, 2", "other, 0"})
    void services_that_are_not_asked_for_are_not_counted(String asked, int named) {
        DaemonStatus status = with(0, services(250), List.of());

        String page = PageModel.of(answer(query(asked, 500), status), query(asked, 500))
                .withoutPool();

        assertThat(page.split("shop/web-", -1)).hasSize(named + 1);
        assertThat(page).doesNotContain("more");
    }

    @ParameterizedTest
    @CsvSource({
        "1, 0, 0 of 0 pools in step; 1 Service without a pool",
        "2, 0, 0 of 0 pools in step; 2 Services without a pool",
        "20, 0, 0 of 0 pools in step; 20 Services without a pool",
        "21, 1, 0 of 0 pools in step; 21 Services without a pool",
        "120, 100, 0 of 0 pools in step; 120 Services without a pool"
    })
    void the_text_explains_twenty_services_without_a_pool(int count, int more, String summary) throws IOException {
        List<String> text = text(query(null, 500), with(0, services(count), List.of()));

        assertThat(text.getFirst()).isEqualTo(summary);
        assertThat(text).filteredOn(line -> line.endsWith(": no pool")).hasSize(count - more);
        assertThat(text)
                .filteredOn(line -> line.startsWith("… and"))
                .isEqualTo(more == 0 ? List.of() : List.of("… and " + more + " more Services without a pool"));
    }

    @ParameterizedTest
    @CsvSource({
        "3, , 0, 3; there are 3 pools.",
        "2, , 1, the first 2 of 3; there are 3 pools.",
        "1, , 2, the first 1 of 3; there are 3 pools.",
        "1, team-2, 0, 1; there are 3 pools.",
        "5, team-4, 0, 0; there are 3 pools."
    })
    void the_pools_beyond_the_limit_are_counted(int limit, String asked, int more, String shown) throws IOException {
        DaemonStatus status = with(0, List.of(), Statuses.inStep(1, 3));
        StatusQuery query = query(asked, limit);

        assertThat(text(query, status))
                .filteredOn(line -> line.startsWith("… and"))
                .isEqualTo(more == 0 ? List.of() : List.of("… and " + more + " more"));
        assertThat(text(query, status).getFirst()).isEqualTo("3 of 3 pools in step");
        assertThat(PageModel.of(answer(query, status), query).shown()).isEqualTo("Shown: " + shown);
    }

    @ParameterizedTest
    @CsvSource({"1, ''", "49, ''", "50, ''", "51, ' and 1 more'", "62, ' and 12 more'"})
    void a_row_shows_fifty_addresses(int count, String more) {
        String[] addresses = IntStream.rangeClosed(1, count)
                .mapToObj(number -> "10.0.0." + number)
                .toArray(String[]::new);

        PoolRow.Addresses shown = PoolRow.Addresses.of(AddressSet.of(addresses));

        assertThat(shown.count()).isEqualTo(count);
        assertThat(shown.list().split("10[.]0[.]0[.]")).hasSize(Math.min(count, 50) + 1);
        assertThat(shown.list().replaceFirst(".*10[.]0[.]0[.]\\d+", "")).isEqualTo(more);
    }
}
