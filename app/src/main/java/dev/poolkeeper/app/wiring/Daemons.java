package dev.poolkeeper.app.wiring;

import static java.util.Objects.requireNonNull;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Module;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import com.google.inject.spi.Message;
import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.Keys;
import dev.poolkeeper.app.config.LiveSettings.LogLevels;
import dev.poolkeeper.app.daemon.Daemon;
import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.azure.AzurePoolsBuilder;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.ports.Time;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Assembles daemons. */
public final class Daemons {

    private Daemons() {}

    /**
     * Reads the configuration, assembles a daemon, and starts it.
     *
     * @param environment the environment's variables, except {@code OTEL_…}
     * @param logLevels adjusts the configured log levels
     * @param warnings receives a warning for each unused key
     * @throws BadInputException with every fault of the configuration
     * @throws IOException if the pages cannot be served
     */
    public static Daemon start(
            Path file, Map<String, String> environment, UnaryOperator<LogLevels> logLevels, Consumer<String> warnings)
            throws BadInputException, IOException {
        Configuration configuration = check(file, environment);
        configuration.warnings().forEach(warnings);
        AzureConfiguration azure = requireNonNull(configuration.azure());
        Logging.start(
                configuration.daemon().logFormat(),
                logLevels.apply(configuration.live().logLevels()));
        Daemon daemon =
                create(new DaemonModule(configuration, azure, logLevels), new MachineModule(azure, file, environment));
        try {
            daemon.start();
            return daemon;
        } catch (BadInputException | IOException | RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    /**
     * Reads a configuration and rejects it if no daemon can start with it here: everything that {@link #start} rejects
     * about the file, the environment, or a file that either names, before it connects to anything or runs a program.
     * Where nothing names an API server, as outside the cluster that the file is for, the values say so.
     *
     * @throws BadInputException with every fault; those of files that the configuration names, once it has none itself
     */
    public static Configuration check(Path file) throws BadInputException {
        return check(file, System.getenv());
    }

    /** @param environment the environment's variables, except {@code OTEL_…} */
    static Configuration check(Path file, Map<String, String> environment) throws BadInputException {
        return new StartCheck(file, environment).configuration();
    }

    /**
     * The builder of the pools adapter.
     *
     * @throws BadInputException if the file, or an environment variable, names a file that cannot be used
     */
    static AzurePoolsBuilder pools(AzureConfiguration azure, Path file, Map<String, String> environment, Time time)
            throws BadInputException {
        try {
            return azure.pools(time);
        } catch (IllegalArgumentException e) {
            throw new BadInputException(fault(String.valueOf(e.getMessage()), file, environment), e);
        }
    }

    /** A message begins with its key; if a variable sets that, the fault is the variable's. */
    private static InputFault fault(String message, Path file, Map<String, String> environment) {
        return Keys.all().stream()
                .filter(key -> message.startsWith(key.name() + " ")
                        && !environment.getOrDefault(key.variable(), "").isBlank())
                .findFirst()
                .map(key -> new InputFault(
                        key.variable(), "", message.substring(key.name().length() + 1)))
                .orElseGet(() -> new InputFault(file.toString(), "", message));
    }

    private static Daemon create(Module... modules) throws BadInputException {
        try {
            return Guice.createInjector(Stage.PRODUCTION, modules).getInstance(Daemon.class);
        } catch (CreationException e) {
            throw badInput(e, e.getErrorMessages());
        } catch (ProvisionException e) {
            throw badInput(e, e.getErrorMessages());
        }
    }

    /** Unwraps a fault that Guice wraps once for each object that needs it; anything else is a bug in the program. */
    static BadInputException badInput(RuntimeException wrapped, Collection<Message> messages) {
        for (Message message : messages) {
            for (Throwable cause = message.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof BadInputException bad) {
                    return bad;
                }
            }
        }
        throw wrapped;
    }
}
