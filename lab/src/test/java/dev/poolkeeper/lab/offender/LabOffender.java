package dev.poolkeeper.lab.offender;

import com.google.inject.Injector;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class LabOffender {
    public Injector injector;
}
