package dev.poolkeeper.simulation.host;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.spi.FilterReply;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

/**
 * While open, redirects the log lines of simulated daemons to a listener, whether or not this JVM's logging is enabled.
 */
public final class DaemonLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    private static final String OWN = "dev.poolkeeper";

    private final Consumer<String> listener;
    private final Thread owner = Thread.currentThread();
    private final LoggerContext logback = (LoggerContext) LoggerFactory.getILoggerFactory();
    private final Logger logger = logback.getLogger(OWN);
    private final boolean wasAdditive = logger.isAdditive();
    private final TurboFilter filter = new Ours();

    private DaemonLog(Consumer<String> listener) {
        this.listener = listener;
    }

    public static DaemonLog open(Consumer<String> listener) {
        DaemonLog log = new DaemonLog(listener);
        log.setContext(log.logback);
        log.start();
        log.logger.setAdditive(false);
        log.logger.addAppender(log);
        log.logback.getTurboFilterList().add(0, log.filter);
        return log;
    }

    private boolean isSimulated() {
        return Thread.currentThread().isVirtual() || Thread.currentThread().equals(owner);
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (isSimulated()) {
            StringBuilder line = new StringBuilder(event.getFormattedMessage());
            if (event.getKeyValuePairs() != null) {
                event.getKeyValuePairs().forEach(pair -> line.append(' ').append(pair));
            }
            for (IThrowableProxy thrown = event.getThrowableProxy(); thrown != null; thrown = thrown.getCause()) {
                line.append(' ').append(thrown.getMessage());
            }
            listener.accept(line.toString());
        }
    }

    /** Restores the previous logging. */
    @Override
    public void close() {
        logback.getTurboFilterList().remove(filter);
        logger.detachAppender(this);
        logger.setAdditive(wasAdditive);
        stop();
    }

    /** Accepts events of our own loggers at {@code INFO} or above, before a filter that silences this JVM. */
    private final class Ours extends TurboFilter {

        @Override
        public FilterReply decide(
                @Nullable Marker marker,
                Logger one,
                Level level,
                @Nullable String format,
                Object @Nullable [] parameters,
                @Nullable Throwable thrown) {
            return one.getName().startsWith(OWN) && level.isGreaterOrEqual(Level.INFO) && isSimulated()
                    ? FilterReply.ACCEPT
                    : FilterReply.NEUTRAL;
        }
    }
}
