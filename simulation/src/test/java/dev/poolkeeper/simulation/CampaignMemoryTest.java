package dev.poolkeeper.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.simulation.daemon.DaemonFlaws;
import dev.poolkeeper.simulation.schedule.Mode;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.lang.management.ManagementFactory;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

/** A campaign of thousands of runs fits into the memory of a few. */
class CampaignMemoryTest {

    private static final int RUNS = 24;
    private static final int KEPT = 4;

    @Test
    void finished_runs_are_released() throws Exception {
        long before = instances(Simulation.class);
        try (var silence = Logging.silence()) {
            for (int seed = 1; seed <= RUNS; seed++) {
                Simulation.run(Schedule.of(seed, Mode.SAFETY, 1), DaemonFlaws.NONE, false);
            }
        }
        assertThat(instances(Simulation.class) - before).isLessThanOrEqualTo(KEPT + 1);
    }

    /** How many there are after a full collection. */
    private static long instances(Class<?> type) throws Exception {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        Matcher line = Pattern.compile("\\s(\\d+)\\s+\\d+\\s+" + Pattern.quote(type.getName()) + "\\s")
                .matcher(histogram);
        return line.find() ? Long.parseLong(line.group(1)) : 0;
    }
}
