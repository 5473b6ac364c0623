package dev.poolkeeper.app.daemon;

<<<<<<< HEAD
import com.google.inject.CreationException;
import com.google.inject.Guice;
import com.google.inject.Injector;
import com.google.inject.ProvisionException;
import com.google.inject.Stage;
import com.google.inject.spi.Message;
import dev.poolkeeper.app.config.AzureConfiguration;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.app.wiring.DaemonModule;
=======
>>>>>>> origin/main
import dev.poolkeeper.fake.input.BadInputException;
import java.io.IOException;
import java.net.InetSocketAddress;
<<<<<<< HEAD
import java.nio.file.Path;
import java.util.Collection;
=======
>>>>>>> origin/main
import java.util.concurrent.atomic.AtomicBoolean;

/** A daemon that was started and has not been stopped. Thread-safe. */
public final class RunningDaemon implements AutoCloseable {

    private final Daemon daemon;
    private final InetSocketAddress address;
    private final AtomicBoolean closed = new AtomicBoolean();

    private RunningDaemon(Daemon daemon, InetSocketAddress address) {
        this.daemon = daemon;
        this.address = address;
    }

<<<<<<< HEAD
    /**
     * Reads the configuration, puts a daemon together, and starts it.
     *
     * @param warnings hears of keys that nobody uses
     * @throws BadInputException with every fault of the configuration
     * @throws IOException if the pages cannot be served
     */
    public static RunningDaemon start(Path file, Consumer<String> warnings) throws BadInputException, IOException {
        Configuration configuration = ConfigurationReader.read(file);
        configuration.warnings().forEach(warnings);
        AzureConfiguration azure = configuration.azure();
        if (azure == null) {
            throw new BadInputException(new InputFault(
                    file.toString(), "subscriptionId, resourceGroup", "are missing, must be set for a daemon"));
        }
        Logging.start(configuration.daemon().logging());
        try {
            Injector injector = Guice.createInjector(Stage.PRODUCTION, new DaemonModule(configuration, azure, file));
            Daemon daemon = injector.getInstance(Daemon.class);
            return new RunningDaemon(daemon, daemon.start());
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
=======
    /** Starts it. */
    public static RunningDaemon start(Daemon daemon) throws BadInputException, IOException {
        return new RunningDaemon(daemon, daemon.start());
>>>>>>> origin/main
    }

    /** Where its pages are, as host and port. */
    public String address() {
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Stops it, in order; once. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            daemon.stop();
        }
    }
}
