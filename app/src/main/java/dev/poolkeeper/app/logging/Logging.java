package dev.poolkeeper.app.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.EncoderBase;
import ch.qos.logback.core.spi.FilterReply;
import dev.poolkeeper.app.config.DaemonSettings.Format;
import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import java.util.List;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Configures this process's logging, replacing the settings of {@code logback.xml} that other commands use: all output
 * goes to standard error, our own loggers use the configured level, libraries log at {@code WARN} or above, and
 * libraries that repeat what we report only if our level is below {@code INFO}; individual loggers may have their own
 * levels. {@code java.util.logging} output of libraries is redirected here too.
 */
public final class Logging {

    private static final String OWN = "dev.poolkeeper";

    /**
     * These log each failure several times, with stack traces, before they return it to us, and we report it in one
     * line. Reactor, below Azure's SDK, reports calls that we end ourselves. The last one warns about every unstable
     * API version, such as those of the Gateway API's experimental kinds.
     */
    private static final List<String> NOISY = List.of(
            "com.azure",
            "com.microsoft.aad",
            "reactor.core.publisher.Operators",
            "io.fabric8.kubernetes.client.dsl.internal.VersionUsageUtils");

    private Logging() {}

    /** Starts logging with these settings. Call it once, before other threads log. */
    public static void start(Format format, LogLevels levels) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        configure(context, format, standardError(context));
        adjust(context, levels);
        SLF4JBridgeHandler.removeHandlersForRootLogger();
        SLF4JBridgeHandler.install();
    }

    /** Changes the levels. Thread-safe. */
    public static void adjust(LogLevels levels) {
        adjust((LoggerContext) LoggerFactory.getILoggerFactory(), levels);
    }

    /** Suppresses all log output until closed, so that no logging thread waits for another. Thread-safe. */
    public static Silence silence() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Silence silence = new Silence(context);
        context.addTurboFilter(silence);
        return silence;
    }

    /** Denies every event. */
    public static final class Silence extends TurboFilter implements AutoCloseable {

        private final LoggerContext silenced;

        private Silence(LoggerContext silenced) {
            this.silenced = silenced;
        }

        @Override
        public FilterReply decide(
                Marker marker, Logger logger, Level level, String format, Object[] params, Throwable thrown) {
            return FilterReply.DENY;
        }

        @Override
        public void close() {
            silenced.getTurboFilterList().remove(this);
        }
    }

    /** @param appender not yet started; receives its encoder here */
    static void configure(LoggerContext context, Format format, OutputStreamAppender<ILoggingEvent> appender) {
        EncoderBase<ILoggingEvent> encoder = encoder(format);
        encoder.setContext(context);
        encoder.start();
        appender.setEncoder(encoder);
        appender.start();
        root(context).addAppender(appender);
    }

    static void adjust(LoggerContext context, LogLevels levels) {
        Logger root = root(context);
        context.getLoggerList().stream()
                .filter(logger -> !logger.equals(root))
                .forEach(logger -> logger.setLevel(null));
        Level level = Level.convertAnSLF4JLevel(levels.level());
        root.setLevel(level.isGreaterOrEqual(Level.WARN) ? level : Level.WARN);
        context.getLogger(OWN).setLevel(level);
        if (level.isGreaterOrEqual(Level.INFO)) {
            NOISY.forEach(name -> context.getLogger(name).setLevel(Level.OFF));
        }
        levels.loggers().forEach((name, own) -> context.getLogger(name).setLevel(Level.convertAnSLF4JLevel(own)));
    }

    private static Logger root(LoggerContext context) {
        return context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    }

    private static EncoderBase<ILoggingEvent> encoder(Format format) {
        return switch (format) {
            case JSON -> new JsonLines();
            case TEXT -> new TextLines();
        };
    }

    private static ConsoleAppender<ILoggingEvent> standardError(LoggerContext context) {
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("STDERR");
        appender.setTarget("System.err");
        return appender;
    }
}
