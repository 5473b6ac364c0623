package dev.poolkeeper.fake.offender;

import dev.poolkeeper.core.tick.BackendPoolUpdater;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class FakeOffender {
    public BackendPoolUpdater updater;
}
