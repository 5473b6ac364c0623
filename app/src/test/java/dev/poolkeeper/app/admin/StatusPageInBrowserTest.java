package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.Chromium;
import dev.poolkeeper.app.status.StatusAnswer;
import dev.poolkeeper.app.status.StatusHtml;
import dev.poolkeeper.app.status.StatusQuery;
import dev.poolkeeper.app.status.Statuses;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StatusPageInBrowserTest {

    @TempDir
    private Path folder;

    @Test
    void a_browser_shows_hostile_names_as_text_and_loads_nothing() throws Exception {
        StatusQuery query = new StatusQuery(Optional.of(Statuses.HOSTILE), false, 500, Optional.empty());
        String html = StatusHtml.of(
                StatusAnswer.to(
                        query,
                        Statuses.with(List.of(Statuses.parked(), Statuses.inStep(1))),
                        (service, pool, node) -> Optional.empty()),
                query);

        assertThat(Chromium.open(html, folder))
                .contains("<caption>Watches</caption>", "<th scope=\"col\">", "&lt;script&gt;alert(1)", "lang=\"en\"")
                .doesNotContain("<script", "<img");
    }
}
