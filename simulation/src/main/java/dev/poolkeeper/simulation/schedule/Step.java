package dev.poolkeeper.simulation.schedule;

/**
 * One external event.
 *
 * @param number its number in the schedule
 * @param atMillis its time
 * @param kind its kind
 * @param salt the seed of its details
 */
public record Step(int number, long atMillis, StepKind kind, long salt) {

    @Override
    public String toString() {
        return "%9.3f s  #%d %s".formatted(atMillis / 1000.0, number, kind);
    }
}
