package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.k8s.client.ApiServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The API server of the pod that this process runs in, with the pod's service account.
 *
 * @param environment has the API server's address
 * @param folder the kubelet's files
 */
record ServiceAccount(Map<String, String> environment, Path folder) {

    static final Path FOLDER = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");

    private static final String HOST = "KUBERNETES_SERVICE_HOST";
    private static final String PORT = "KUBERNETES_SERVICE_PORT";

    /**
     * Empty if this is not a pod with a service account.
     *
     * @throws BadInputException if the CA certificate is missing; other clients would trust any authority then
     */
    Optional<ApiServer> apiServer(Proxies proxies) throws BadInputException {
        if (!isMounted()) {
            return Optional.empty();
        }
        String host = variable(HOST);
        Path authority = folder.resolve("ca.crt");
        try {
            Tls tls = Tls.trusting(Pem.certificates(JsonFile.bytes(authority, Pem.LARGEST)));
            String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
            return Optional.of(new ApiServer(
                    URI.create("https://" + name + ":" + variable(PORT)),
                    tls.settings(),
                    proxies,
                    new TokenFile(token()),
                    Map.of()));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(new InputFault(authority.toString(), "", String.valueOf(e.getMessage())), e);
        }
    }

    /** Whether this is a pod with a service account. */
    boolean isMounted() {
        return !variable(HOST).isEmpty() && !variable(PORT).isEmpty() && Files.exists(token());
    }

    private String variable(String name) {
        return environment.getOrDefault(name, "");
    }

    private Path token() {
        return folder.resolve("token");
    }
}
