package dev.poolkeeper.simulation.offender;

import dev.poolkeeper.lab.simulate.SimulateReport;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class SimulationOffender {
    public SimulateReport report;
}
