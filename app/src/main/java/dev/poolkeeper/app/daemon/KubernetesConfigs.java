package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.fake.input.BadInputException;
import dev.poolkeeper.fake.input.InputFault;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Finds the API server and who we are there. */
public final class KubernetesConfigs {

    private KubernetesConfigs() {}

    /**
     * Reads the kubeconfig that is configured, else finds one as Fabric8 does: {@code KUBECONFIG},
     * {@code ~/.kube/config}, the pod's service account.
     *
     * @throws BadInputException if the configured file or context cannot be used
     */
    public static Config of(KubernetesConnection connection) throws BadInputException {
        Path file = connection.kubeconfig();
        try {
            if (file == null) {
                return Config.autoConfigure(connection.context());
            }
            if (!Files.isReadable(file)) {
                throw fault("found " + file + ", which cannot be read; must be a kubeconfig file", null);
            }
            return Config.fromKubeconfig(connection.context(), file.toFile());
        } catch (BadInputException e) {
            throw e;
        } catch (Exception e) { // Fabric8 throws what it likes about a bad file
            throw fault("found %s, which is no kubeconfig: %s".formatted(file, e.getMessage()), e);
        }
    }

    private static BadInputException fault(String found, @Nullable Throwable cause) {
        InputFault fault = new InputFault("kubeconfig", "", found);
        return cause == null ? new BadInputException(fault) : new BadInputException(fault, cause);
    }
}
