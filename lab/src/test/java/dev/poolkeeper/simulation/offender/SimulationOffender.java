package dev.poolkeeper.simulation.offender;

import dev.poolkeeper.lab.simulate.SimulateReport;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class SimulationOffender {
    public SimulateReport report;
}
