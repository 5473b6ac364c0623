package dev.poolkeeper.core.retry.offender;

import com.google.inject.Injector;
import java.io.File;
import java.time.Instant;
import java.util.Random;

/** Breaks the rules of its module, so that the architecture test can show that it detects this. */
public final class CoreOffender {
    public Injector injector;
    public File file;
    public Random random;

    public Instant now() {
        return Instant.now();
    }
}
