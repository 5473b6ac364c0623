package dev.poolkeeper.app.daemon;

import dev.poolkeeper.app.config.DaemonSettings.KubernetesConnection;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the API server and who we are there. */
public final class KubernetesConfigs {

    private KubernetesConfigs() {}

    /**
     * Reads the kubeconfig that is configured, else finds one as Fabric8 does: {@code KUBECONFIG},
     * {@code ~/.kube/config}, the pod's service account.
     *
     * @throws BadInputException if the configured file or context cannot be used, or nothing says where the API server
     *     is
     */
    public static Config of(KubernetesConnection connection) throws BadInputException {
        Path file = connection.kubeconfig();
        try {
            if (file == null) {
                return withServer(withContext(Config.autoConfigure(connection.context()), connection.context()));
            }
            if (!Files.isReadable(file)) {
                throw fault("found " + file + ", which cannot be read; must be a kubeconfig file", null);
            }
            return withContext(Config.fromKubeconfig(connection.context(), file.toFile()), connection.context());
        } catch (BadInputException e) {
            throw e;
        } catch (Exception e) { // Fabric8 throws what it likes about a bad file
            throw fault("found %s, which is no kubeconfig: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Fabric8 passes over a context that it does not find, and goes to whatever its defaults say. */
    private static Config withContext(Config config, @Nullable String context) throws BadInputException {
        List<String> known =
                config.getContexts().stream().map(NamedContext::getName).toList();
        if (context != null && !known.contains(context)) {
            throw new BadInputException(
                    new InputFault("kubeContext", "", "found %s, must be one of %s".formatted(context, known)));
        }
        return config;
    }

    /** Fabric8 asks a name that only a pod can resolve, without an identity, when it found nothing. */
    static Config withServer(Config config) throws BadInputException {
        boolean isDefault = config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL);
        if (isDefault && config.getCurrentContext() == null && config.getAutoOAuthToken() == null) {
            throw fault(
                    "found none: neither KUBECONFIG nor ~/.kube/config is there, and this is no pod with a service"
                            + " account; must be a kubeconfig file, or one of these",
                    null);
        }
        return config;
    }

    private static BadInputException fault(String found, @Nullable Throwable cause) {
        InputFault fault = new InputFault("kubeconfig", "", found);
        return cause == null ? new BadInputException(fault) : new BadInputException(fault, cause);
    }
}
