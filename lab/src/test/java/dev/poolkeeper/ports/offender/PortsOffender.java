package dev.poolkeeper.ports.offender;

import com.google.inject.Injector;
import java.io.File;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class PortsOffender {
    public Injector injector;
    public File file;
}
