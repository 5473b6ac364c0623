package dev.poolkeeper.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** What a logger, and those below it, log during a test. */
public final class Logged extends ListAppender<ILoggingEvent> implements BeforeEachCallback, AfterEachCallback {

    private final Logger logger;
    private final Level level;

    public Logged(Class<?> logger, Level level) {
        this(logger.getName(), level);
    }

    public Logged(String logger, Level level) {
        this.logger = (Logger) LoggerFactory.getLogger(logger);
        this.level = level;
    }

    /** From now on, in this test. */
    public void at(Level other) {
        logger.setLevel(other);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        start();
        at(level);
        logger.addAppender(this);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        logger.detachAppender(this);
        logger.setLevel(null);
    }
}
