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

/** Finds the API server and our credentials. */
public final class KubernetesConfigs {

    private KubernetesConfigs() {}

    /**
     * Reads the configured kubeconfig, else finds one like Fabric8: {@code KUBECONFIG}, {@code ~/.kube/config}, the
     * pod's service account.
     *
     * @throws BadInputException if the configured file or context is unusable, or no API server is configured anywhere
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
        } catch (Exception e) { // Fabric8 throws various exceptions for a bad file
            throw fault("found %s, which is not a kubeconfig: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Fabric8 ignores an unknown context and uses its defaults instead. */
    private static Config withContext(Config config, @Nullable String context) throws BadInputException {
        List<String> known =
                config.getContexts().stream().map(NamedContext::getName).toList();
        if (context != null && !known.contains(context)) {
            throw new BadInputException(
                    new InputFault("kubeContext", "", "found %s, must be one of %s".formatted(context, known)));
        }
        return config;
    }

    /** If it found nothing, Fabric8 uses a host name that resolves only in a pod, without credentials. */
    static Config withServer(Config config) throws BadInputException {
        boolean isDefault = config.getMasterUrl().startsWith(Config.DEFAULT_MASTER_URL);
        if (isDefault && config.getCurrentContext() == null && config.getAutoOAuthToken() == null) {
            throw fault(
                    "found none: neither KUBECONFIG nor ~/.kube/config exists, and this is not a pod with a service"
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
