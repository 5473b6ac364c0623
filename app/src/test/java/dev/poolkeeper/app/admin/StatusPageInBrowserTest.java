package dev.poolkeeper.app.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.Chromium;
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
        String html = StatusHtml.of(
                Statuses.with(List.of(Statuses.parked(), Statuses.inStep(1))),
                new StatusQuery(Optional.of(Statuses.HOSTILE), false, 500));

        assertThat(Chromium.open(html, folder))
                .contains("<caption>Watches</caption>", "<th scope=\"col\">", "&lt;script&gt;alert(1)", "lang=\"en\"")
                .doesNotContain("<script", "<img");
    }
}
