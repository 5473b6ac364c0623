package dev.poolkeeper.core.guard;

import java.util.Set;

/** What may happen in a {@link BrakeWorld}. */
sealed interface BrakeStep {

    /** From now on the pool's Service wants these addresses, except those that are gone without our knowing it. */
    record Want(int pool, Set<Integer> addresses) implements BrakeStep {}

    /** From now on nothing is wanted anywhere. */
    record WantNothing() implements BrakeStep {}

    /** Another guard holds the pool, or lets it go. */
    record Pause(int pool, boolean paused) implements BrakeStep {}

    record Advance(int seconds) implements BrakeStep {}

    /** A tick that reads these pools and starts to write them; in between, something else is wanted of a pool. */
    record Tick(Set<Integer> reached, Want meanwhile) implements BrakeStep {}

    /** The writes in progress land; for these pools it is not known before the next read. */
    record Land(Set<Integer> unknown) implements BrakeStep {}

    /** The operator agrees to the removal at this place among those that are held. */
    record Agree(int place) implements BrakeStep {}
}
