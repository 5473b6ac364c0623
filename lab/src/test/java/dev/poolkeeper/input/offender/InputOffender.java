package dev.poolkeeper.input.offender;

import dev.poolkeeper.core.engine.Engine;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class InputOffender {
    public Engine engine;
}
