package dev.poolkeeper.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.poolkeeper.simulation.CampaignResult;
import dev.poolkeeper.simulation.Coverage;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulateReportTest {

    @Test
    void seeds_that_were_not_run_are_counted_in_each_output() throws Exception {
        SimulateReport report = report(4_980);

        assertThat(report.lines()).contains("4,980 of 5,000 seeds were not run");
        assertThat(report.partialLines()).contains("4,980 of 5,000 seeds were not run");
        assertThat(report.stopped()).hasValue("Stopped after 20 of 5000 seeds, because 0 runs broke an invariant.");
        assertThat(new ObjectMapper().readTree(report.json()).get("seedsNotRun").asLong())
                .isEqualTo(4_980);
    }

    @Test
    void a_complete_report_does_not_mention_seeds_that_were_not_run() throws Exception {
        SimulateReport report = report(0);

        assertThat(report.lines()).noneMatch(line -> line.contains("seeds"));
        assertThat(report.stopped()).isEmpty();
    }

    private static SimulateReport report(long seedsNotRun) throws Exception {
        return new SimulateReport(
                new CampaignResult(40, 10, 1, 1, 1, new Coverage(), List.of(), seedsNotRun),
                SimulateArguments.read("1..5000", "both", "1", "10", null, false, "text", "failures"),
                1);
    }
}
