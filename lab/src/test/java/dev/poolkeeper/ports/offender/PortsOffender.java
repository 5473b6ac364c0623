package dev.poolkeeper.ports.offender;

import com.google.inject.Injector;
import java.io.File;

/** Breaks the rules of its room, so that the architecture test can show that it notices. */
public final class PortsOffender {
    public Injector injector;
    public File file;
}
