package dev.poolkeeper.fake.offender;

import dev.poolkeeper.core.engine.Engine;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class FakeOffender {
    public Engine engine;
}
