package dev.poolkeeper.app.commands;

import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import dev.poolkeeper.app.daemon.CrashHandler;
import dev.poolkeeper.app.daemon.Daemon;
import dev.poolkeeper.app.wiring.Daemons;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import picocli.CommandLine;

/**
 * Runs the daemon in this process until the process is asked to stop.
 *
 * @param out receives the addresses of the pages
 * @param err receives warnings about the configuration
 * @param logLevels adjusts the configured log levels
 */
public record DaemonRun(PrintWriter out, PrintWriter err, UnaryOperator<LogLevels> logLevels) {

    /** @throws BadInputException if there is no such level */
    public static DaemonRun on(CommandLine line, LogLevelOption logLevel) throws BadInputException {
        return new DaemonRun(line.getOut(), line.getErr(), logLevel.override());
    }

    /** Runs the daemon alone. */
    public int untilStopped(Path configuration) throws BadInputException, IOException, InterruptedException {
        return untilStopped(configuration, System.getenv(), () -> {}, () -> {});
    }

    /**
     * Runs the daemon together with another component.
     *
     * @param environment the environment's variables, except {@code OTEL_…}
     * @param begin called once the daemon has started
     * @param end called after the daemon has stopped because the process was asked to
     */
    public int untilStopped(Path configuration, Map<String, String> environment, Runnable begin, Runnable end)
            throws BadInputException, IOException, InterruptedException {
        CrashHandler.install(err);
        try (Daemon daemon = Daemons.start(
                configuration,
                environment,
                logLevels,
                warning -> err.println("warning: " + InputFault.line(warning)))) {
            Thread hook = new Thread(
                    () -> {
                        daemon.close();
                        end.run();
                    },
                    "poolkeeper-stop");
            Runtime.getRuntime().addShutdownHook(hook);
            out.println("status page:   http://" + daemon.address() + "/statusz");
            begin.run();
            out.flush();
            try {
                new CountDownLatch(1).await(); // until it is interrupted, or the process is asked to stop
            } finally {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        }
        return ExitCode.DONE;
    }
}
