package dev.poolkeeper.fake.offender;

import dev.poolkeeper.core.engine.Engine;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class FakeOffender {
    public Engine engine;
}
