package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.invariant.Violation;
import dev.poolkeeper.simulation.report.RunFiles;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * What a run came to.
 *
 * @param schedule what happened from outside
 * @param violation what was broken; empty for nothing
 * @param events how many events there were: steps, requests, timers
 * @param changes how many changes of the cluster and faults there were
 * @param writes how many writes were sent
 * @param coverage what was reached
 * @param timeline what happened, line by line; empty unless asked for
 * @param files what can be replayed of it; empty unless asked for
 */
public record RunResult(
        Schedule schedule,
        Optional<Violation> violation,
        long events,
        long changes,
        long writes,
        Coverage coverage,
        List<String> timeline,
        RunFiles files) {}
