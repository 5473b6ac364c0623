package dev.poolkeeper.app.wiring;

import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import com.google.inject.spi.Message;
import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.app.daemon.Daemon;
import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.function.Consumer;

/** Puts daemons together. */
public final class Daemons {

    private Daemons() {}

    /**
     * Reads the configuration, puts a daemon together, and starts it.
     *
     * @param warnings hears of keys that nobody uses
     * @throws BadInputException with every fault of the configuration
     * @throws IOException if the pages cannot be served
     */
    public static Daemon start(Path file, Consumer<String> warnings) throws BadInputException, IOException {
        Configuration configuration = ConfigurationReader.read(file);
        configuration.warnings().forEach(warnings);
        AzureConfiguration azure = configuration.azure();
        if (azure == null) {
            throw new BadInputException(new InputFault(
                    file.toString(), "subscriptionId, resourceGroup", "are missing, must be set for a daemon"));
        }
        Logging.start(configuration.daemon().logging());
        Daemon daemon = create(configuration, azure, file);
        try {
            daemon.start();
            return daemon;
        } catch (BadInputException | IOException | RuntimeException e) {
            daemon.close();
            throw e;
        }
    }

    private static Daemon create(Configuration configuration, AzureConfiguration azure, Path file)
            throws BadInputException {
        try {
            return Guice.createInjector(Stage.PRODUCTION, new DaemonModule(configuration, azure, file))
                    .getInstance(Daemon.class);
        } catch (CreationException e) {
            throw badInput(file, e, e.getErrorMessages());
        } catch (ProvisionException e) {
            throw badInput(file, e, e.getErrorMessages());
        }
    }

    /**
     * What Guice wraps, once for each object that needs it, unwrapped; what is no fault of the configuration is a fault
     * of the program.
     */
    private static BadInputException badInput(Path file, RuntimeException wrapped, Collection<Message> messages) {
        for (Message message : messages) {
            for (Throwable cause = message.getCause(); cause != null; cause = cause.getCause()) {
                if (cause instanceof BadInputException bad) {
                    return bad;
                }
                if (cause instanceof IllegalArgumentException bad) {
                    return new BadInputException(
                            new InputFault(file.toString(), "", String.valueOf(bad.getMessage())), wrapped);
                }
            }
        }
        throw wrapped;
    }
}
