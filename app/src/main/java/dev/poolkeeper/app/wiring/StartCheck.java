package dev.poolkeeper.app.wiring;

import static java.util.Objects.requireNonNull;

import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.config.Configuration.EffectiveValue;
import dev.poolkeeper.app.config.ConfigurationReader;
import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.ports.SystemTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects everything with which a daemon cannot start. Used once, by one thread. */
final class StartCheck {

    private static final String API_SERVER = "API server";

    private final Path file;
    private final Map<String, String> environment;
    private final List<InputFault> faults = new ArrayList<>();

    /** Reads something that may be invalid. */
    @FunctionalInterface
    private interface Reading<T> {
        T read() throws BadInputException;
    }

    StartCheck(Path file, Map<String, String> environment) {
        this.file = file;
        this.environment = environment;
    }

    /** @throws BadInputException with all faults */
    Configuration configuration() throws BadInputException {
        Configuration read = tried(() -> ConfigurationReader.readForDaemon(file, environment));
        tried(() -> {
            TelemetryModule.check();
            return true;
        });
        Configuration complete = read == null ? null : withNamedFiles(read);
        if (complete == null || !faults.isEmpty()) {
            throw new BadInputException(faults);
        }
        return complete;
    }

    private Configuration withNamedFiles(Configuration read) {
        try (SystemTime time = new SystemTime()) {
            tried(() -> Daemons.pools(requireNonNull(read.azure()), file, environment, time));
            KubernetesConnection kubernetes = read.daemon().kubernetes();
            Optional<String> origin = kubernetes.origin(environment, time);
            if (origin.isEmpty()) {
                return read.showing(
                        new EffectiveValue(API_SERVER, "not checked", "here is no kubeconfig and no service account"));
            }
            var server = tried(() -> kubernetes.apiServer(environment, time));
            return server == null
                    ? read
                    : read.showing(new EffectiveValue(API_SERVER, server.uri().toString(), origin.get()));
        }
    }

    private <T> @Nullable T tried(Reading<T> reading) {
        try {
            return reading.read();
        } catch (BadInputException e) {
            faults.addAll(e.faults());
            return null;
        }
    }
}
