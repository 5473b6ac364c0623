package dev.poolkeeper.app.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.contract.Rule;
import dev.poolkeeper.core.engine.PoolStatus;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusHtmlTest {

    private static String page(StatusQuery query, PoolStatus... pools) {
        return StatusHtml.of(
                StatusAnswer.to(
                        query, Statuses.with(List.of(pools)), (service, pool, node) -> Optional.of(Statuses.NODE)),
                query);
    }

    private static StatusQuery everything() {
        return new StatusQuery(Optional.empty(), false, 500, Optional.empty());
    }

    @Test
    @Rule(
            id = "O16",
            says = "The status page begins with a summary in one line, then problems with reason, since when, until"
                    + " when and remedy, outages first; then figures, then all pools.",
            source = "ours")
    void problems_come_before_figures_and_pools() {
        String page = page(everything(), Statuses.held(), Statuses.outage(), Statuses.inStep(1));

        assertThat(page)
                .containsSubsequence(
                        "1 of 3 pools in step, 1 held, 1 failed; 1 in outage",
                        "Needs attention",
                        "shop/down: outage: failed (pool shop-down on lb-2)",
                        "shop/web: held (pool shop-web on lb-1)",
                        "Service shop/web is paused by its annotation.",
                        "Since 2026-01-01T11:59:20Z, 40 s ago. Until 2026-01-01T12:00:20Z, in 20 s.",
                        "Remove the annotation poolkeeper.dev/paused to resume.",
                        "<h2>Figures</h2>",
                        "<h2>Pools</h2>",
                        "team-1/web");
    }

    @Test
    void a_queued_pool_needs_no_attention() {
        assertThat(page(everything(), Statuses.queued())).doesNotContain("shop/quick: queued (pool");
    }

    @Test
    void the_page_shows_the_figures_of_the_status() {
        assertThat(page(everything(), Statuses.outage()))
                .containsSubsequence(
                        "<dt>Retries available in the budget</dt><dd>8</dd>",
                        "<dt>Writes throttled until</dt><dd class=\"bad\">2026-01-01T12:00:17Z, in 17 s</dd>",
                        "<dt>Remaining Azure quota</dt><dd class=\"bad\">writes 37, reads 212; writing outages first,"
                                + " the rest one at a time</dd>",
                        "<dt>Watches open</dt><dd class=\"bad\">0 of 1</dd>",
                        "<dt>Pools in outage</dt><dd class=\"bad\">1</dd>",
                        "<dt>Oldest unwritten change</dt><dd>2026-01-01T11:59:40Z, 20 s ago</dd>",
                        "<dt>Pods waiting for their readiness gate</dt><dd class=\"bad\">4 (1 Held, 2 WaitingForPool,"
                                + " 1 without a condition yet, 1 whose condition cannot be set), longest 40 s</dd>");
    }

    @Test
    void a_single_node_can_be_queried() {
        String page = page(
                new StatusQuery(Optional.of("shop/web"), false, 500, Optional.of("<n9>")),
                Statuses.held(),
                Statuses.inStep(1));

        assertThat(page)
                .contains(
                        "<strong>&lt;n9&gt;</strong> in",
                        "Not wanted: the node is excluded by its label example/label. It is still in the pool.",
                        "value=\"shop/web\"",
                        "Shown: 1; there are 2 pools.");
    }

    @ParameterizedTest
    @CsvSource({"shop/web, n1, true", "shop/web, '', false", "'', n1, false", "'', '', true"})
    void the_form_keeps_what_was_asked_for(String service, String node, boolean problemsOnly) {
        StatusQuery query = new StatusQuery(
                Optional.of(service).filter(text -> !text.isEmpty()),
                problemsOnly,
                500,
                Optional.of(node).filter(text -> !text.isEmpty()));

        String form = page(query, Statuses.held()).replaceAll("(?s).*<form|</form>.*", "");

        assertThat(form)
                .contains(
                        "name=\"service\" placeholder=\"namespace/name\" value=\"" + service + "\">",
                        "name=\"node\" value=\"" + node + "\">",
                        "name=\"problem\" value=\"true\"" + (problemsOnly ? " checked>" : ">"));
    }

    @Test
    void a_pools_addresses_open_without_a_script() {
        assertThat(page(everything(), Statuses.held()))
                .contains("<details><summary>2</summary><div class=\"addresses\">10.0.0.4, 10.0.0.5</div></details>")
                .doesNotContain("<script>", "href=", "onclick");
    }
}
