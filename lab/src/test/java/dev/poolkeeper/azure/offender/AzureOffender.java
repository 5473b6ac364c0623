package dev.poolkeeper.azure.offender;

import com.google.inject.Injector;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class AzureOffender {
    public Injector injector;
}
