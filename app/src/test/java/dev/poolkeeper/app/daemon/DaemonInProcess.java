package dev.poolkeeper.app.daemon;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.poolkeeper.app.TestLog;
import dev.poolkeeper.app.wiring.Daemons;
import dev.poolkeeper.input.BadInputException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/** A daemon in this process, its pages and its log. Closing it restores the logging configuration. */
final class DaemonInProcess implements AutoCloseable {

    private final Daemon daemon;
    private final List<String> log = new CopyOnWriteArrayList<>();

    private DaemonInProcess(Daemon daemon) {
        this.daemon = daemon;
        AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
            @Override
            protected void append(ILoggingEvent event) {
                log.add(event.getLevel() + " " + event.getFormattedMessage() + " " + event.getKeyValuePairs());
            }
        };
        appender.setContext(TestLog.context());
        appender.start();
        TestLog.context().getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
    }

    static DaemonInProcess start(Path configuration) throws BadInputException, IOException {
        return new DaemonInProcess(Daemons.start(configuration, UnaryOperator.identity(), warning -> {}));
    }

    StatusPages pages() {
        return new StatusPages(daemon.address());
    }

    /** The log since its start, one line per entry. */
    List<String> log() {
        return List.copyOf(log);
    }

    boolean hasLogged(String text) {
        return log.stream().anyMatch(line -> line.contains(text));
    }

    String logText() {
        return String.join("\n", log);
    }

    void awaitReady() {
        Await.until("the daemon is ready", this::logText, pages()::isReady);
    }

    @Override
    public void close() {
        daemon.close();
        TestLog.restore();
    }
}
