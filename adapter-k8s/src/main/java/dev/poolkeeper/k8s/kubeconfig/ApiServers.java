package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.ports.Time;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds API servers as kubectl does. Each key of a kubeconfig is obeyed as kubectl obeys it, or refused; the proxies
 * are those of the environment unless the cluster has a {@code proxy-url}.
 */
public final class ApiServers {

    private static final String VARIABLE = "KUBECONFIG";

    private final Map<String, String> environment;
    private final Time time;
    private final ServiceAccount serviceAccount;

    /**
     * @param environment such as {@link System#getenv()}
     * @param time decides when the credential of an exec plugin has expired
     */
    public ApiServers(Map<String, String> environment, Time time) {
        this(environment, time, ServiceAccount.FOLDER);
    }

    /** @param serviceAccountFolder where the kubelet puts the files of the pod's service account */
    ApiServers(Map<String, String> environment, Time time, Path serviceAccountFolder) {
        this.environment = Map.copyOf(environment);
        this.time = time;
        this.serviceAccount = new ServiceAccount(this.environment, serviceAccountFolder);
    }

    /**
     * Reads a kubeconfig file. An exec plugin is not run yet.
     *
     * @param context the name of a context; null for the current one
     * @throws BadInputException with every fault of the context's keys
     */
    public ApiServer inFile(Path file, @Nullable String context) throws BadInputException {
        return inFiles(List.of(file), context);
    }

    /**
     * Reads the files in {@code KUBECONFIG}, else {@code ~/.kube/config}, else the pod's service account.
     *
     * @param context the name of a context; null for the current one
     * @throws BadInputException with every fault of what was found, or if there is none of these
     */
    public ApiServer find(@Nullable String context) throws BadInputException {
        List<Path> files = files();
        if (!files.isEmpty()) {
            return inFiles(files, context);
        }
        Optional<ApiServer> inPod = serviceAccount.apiServer(Proxies.of(environment));
        if (inPod.isEmpty()) {
            throw fault("found none: neither KUBECONFIG nor ~/.kube/config exists, and this is not a pod with a service"
                    + " account; must be a kubeconfig file, or one of these");
        }
        if (context != null) {
            throw new BadInputException(new InputFault(
                    "kubeContext",
                    "",
                    "found \"%s\", but there is no kubeconfig that could have it".formatted(context)));
        }
        return inPod.get();
    }

    /** What {@link #find} reads: a variable, a file, or the pod's service account; empty if there is none of these. */
    public Optional<String> origin() {
        if (!names(environment.getOrDefault(VARIABLE, "")).isEmpty()) {
            return Optional.of("environment: " + VARIABLE);
        }
        Path usual = usualFile();
        if (Files.exists(usual)) {
            return Optional.of(usual.toString());
        }
        return serviceAccount.isMounted() ? Optional.of("service account") : Optional.empty();
    }

    private ApiServer inFiles(List<Path> files, @Nullable String context) throws BadInputException {
        return new ContextReader(Kubeconfig.read(files), environment, time).read(context);
    }

    /** Existing files only; of those in the variable, one that is missing is passed over, as kubectl does. */
    private List<Path> files() throws BadInputException {
        String variable = environment.getOrDefault(VARIABLE, "");
        try {
            Set<Path> named = new LinkedHashSet<>();
            names(variable).forEach(name -> named.add(Path.of(name)));
            if (named.isEmpty()) {
                return existing(Set.of(usualFile()));
            }
            List<Path> existing = existing(named);
            if (existing.isEmpty()) {
                throw new BadInputException(new InputFault(
                        VARIABLE, "", "found \"%s\", must name a kubeconfig file that exists".formatted(variable)));
            }
            return existing;
        } catch (InvalidPathException e) {
            throw new BadInputException(
                    new InputFault(VARIABLE, "", "found \"%s\", must be the names of files".formatted(variable)), e);
        }
    }

    private static List<String> names(String variable) {
        return Arrays.stream(variable.split(File.pathSeparator))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private Path usualFile() {
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return Path.of(home, ".kube", "config");
    }

    private static List<Path> existing(Set<Path> files) {
        return files.stream().filter(Files::exists).toList();
    }

    private static BadInputException fault(String problem) {
        return new BadInputException(new InputFault("kubeconfig", "", problem));
    }
}
