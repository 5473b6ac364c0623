package dev.poolkeeper.simulation;

import dev.poolkeeper.simulation.invariant.Violation;
import dev.poolkeeper.simulation.report.RunFiles;
import dev.poolkeeper.simulation.schedule.Schedule;
import java.util.List;
import java.util.Optional;

/**
 * The result of a run.
 *
 * @param schedule the external events of the run
 * @param violation the violated invariant; empty if there is none
 * @param events the number of events: steps, requests, timers
 * @param changes the number of changes of the cluster and faults
 * @param writes the number of writes sent
 * @param coverage the branches that were reached
 * @param timeline the recorded events, line by line; empty unless requested
 * @param files a replayable recording; empty unless requested
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
