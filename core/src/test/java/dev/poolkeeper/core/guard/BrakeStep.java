package dev.poolkeeper.core.guard;

import java.util.Set;

/** What may happen in a {@link BrakeWorld}. */
sealed interface BrakeStep {

    /**
     * From now on the pool's Service wants these addresses, except those deleted without our knowledge.
     *
     * @param second whether it is the Service of the pool's second namespace, if it has one
     */
    record Want(int pool, boolean second, Set<Integer> addresses) implements BrakeStep {}

    /** From now on nothing is wanted anywhere. */
    record WantNothing() implements BrakeStep {}

    /** Another guard holds or releases the pool. */
    record Pause(int pool, boolean paused) implements BrakeStep {}

    record Advance(int seconds) implements BrakeStep {}

    /** A tick that reads these pools and starts to write them; in between, a pool's wanted addresses change. */
    record Tick(Set<Integer> reached, Want meanwhile) implements BrakeStep {}

    /** The writes in progress are applied; for these pools this is unknown until the next read. */
    record Land(Set<Integer> unknown) implements BrakeStep {}

    /** The operator approves the removals at these positions among the held ones. */
    record Agree(Set<Integer> places) implements BrakeStep {}
}
