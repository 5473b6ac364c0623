package dev.poolkeeper.lab.offender;

import com.google.inject.Injector;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class LabOffender {
    public Injector injector;
}
