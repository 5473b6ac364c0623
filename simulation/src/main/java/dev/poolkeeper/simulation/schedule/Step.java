package dev.poolkeeper.simulation.schedule;

/**
 * One thing that happens from outside.
 *
 * @param number its number in the schedule
 * @param atMillis when
 * @param kind what
 * @param salt what its details are drawn from
 */
public record Step(int number, long atMillis, StepKind kind, long salt) {

    @Override
    public String toString() {
        return "%9.3f s  #%d %s".formatted(atMillis / 1000.0, number, kind);
    }
}
