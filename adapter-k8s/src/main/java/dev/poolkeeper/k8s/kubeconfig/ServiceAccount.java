package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonFile;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.input.proxy.ProxyAddress;
import dev.poolkeeper.k8s.client.ApiServer;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

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
    private static final Pattern DIGITS = Pattern.compile("[1-9][0-9]{0,4}");

    /**
     * Empty if this is not a pod with a service account.
     *
     * @throws BadInputException if the address is none, or the CA certificate is missing; other clients would trust any
     *     authority then
     */
    Optional<ApiServer> apiServer(Proxies proxies) throws BadInputException {
        if (!isMounted()) {
            return Optional.empty();
        }
        URI uri = uri();
        Path authority = folder.resolve("ca.crt");
        try {
            Tls tls = Tls.trusting(Pem.certificates(JsonFile.bytes(authority, Pem.LARGEST)));
            return Optional.of(new ApiServer(uri, tls.settings(), proxies, new TokenFile(token()), Map.of()));
        } catch (IllegalArgumentException e) {
            throw new BadInputException(new InputFault(authority.toString(), "", String.valueOf(e.getMessage())), e);
        }
    }

    private URI uri() throws BadInputException {
        String host = variable(HOST);
        String port = variable(PORT);
        String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        if (!isHost(name)) {
            throw fault(HOST, "found \"%s\", must be the name or address of a host".formatted(host));
        }
        if (!DIGITS.matcher(port).matches() || Integer.parseInt(port) > ProxyAddress.LAST_PORT) {
            throw fault(PORT, "found \"%s\", must be a port from 1 to %s".formatted(port, ProxyAddress.LAST_PORT));
        }
        return URI.create("https://" + name + ":" + port);
    }

    private static boolean isHost(String name) {
        try {
            return name.equals(new URI("https://" + name).getHost());
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static BadInputException fault(String variable, String problem) {
        return new BadInputException(new InputFault(variable, "", problem));
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
