package dev.poolkeeper.app.daemon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextListener;
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

    private final Recorder recorder;
    private final Daemon daemon;

    private DaemonInProcess(Recorder recorder, Daemon daemon) {
        this.recorder = recorder;
        this.daemon = daemon;
    }

    static DaemonInProcess start(Path configuration) throws BadInputException, IOException {
        Recorder recorder = new Recorder();
        recorder.attachAtReset();
        return new DaemonInProcess(
                recorder, Daemons.start(configuration, System.getenv(), UnaryOperator.identity(), warning -> {}));
    }

    /**
     * Keeps the log. Attached when the starting daemon resets the logging configuration: what is attached before is
     * removed by that, and after it misses the first lines, of which some are logged only once.
     */
    private static final class Recorder extends AppenderBase<ILoggingEvent> {

        private final List<String> lines = new CopyOnWriteArrayList<>();

        void attachAtReset() {
            LoggerContext context = TestLog.context();
            setContext(context);
            start();
            context.addListener(new AtReset(this));
        }

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getLevel() + " " + event.getFormattedMessage() + " " + event.getKeyValuePairs());
        }
    }

    /** Removed by the reset that it waits for. */
    private record AtReset(Recorder recorder) implements LoggerContextListener {

        @Override
        public boolean isResetResistant() {
            return false;
        }

        @Override
        public void onReset(LoggerContext context) {
            context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(recorder);
        }

        @Override
        public void onStart(LoggerContext context) {}

        @Override
        public void onStop(LoggerContext context) {}

        @Override
        public void onLevelChange(Logger logger, Level level) {}
    }

    StatusPages pages() {
        return new StatusPages(daemon.address());
    }

    /** The log since its start, one line per entry. */
    List<String> log() {
        return List.copyOf(recorder.lines);
    }

    boolean hasLogged(String text) {
        return recorder.lines.stream().anyMatch(line -> line.contains(text));
    }

    String logText() {
        return String.join("\n", recorder.lines);
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
