package dev.poolkeeper.app;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.ContextInitializer;
import ch.qos.logback.core.joran.spi.JoranException;
import org.slf4j.LoggerFactory;

/** The logging configuration of this process, which daemons change. */
public final class TestLog {

    private TestLog() {}

    public static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    /** The configuration before any daemon. */
    public static void restore() {
        context().reset();
        try {
            new ContextInitializer(context()).autoConfig();
        } catch (JoranException e) {
            throw new AssertionError(e);
        }
    }
}
