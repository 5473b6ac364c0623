package dev.poolkeeper.simulation.offender;

import dev.poolkeeper.azure.identity.AzureCloud;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class SimulationOffender {
    public AzureCloud cloud;
}
