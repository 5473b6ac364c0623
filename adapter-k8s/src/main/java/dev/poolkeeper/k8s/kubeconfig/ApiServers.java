package dev.poolkeeper.k8s.kubeconfig;

import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.proxy.Proxies;
import dev.poolkeeper.k8s.client.ApiServer;
import dev.poolkeeper.k8s.kubeconfig.Kubeconfig.Entry;
import dev.poolkeeper.ports.Time;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds API servers as kubectl does. Each key of a kubeconfig is obeyed as kubectl obeys it, or refused; the proxies
 * are those of the environment unless the cluster has a {@code proxy-url}.
 */
public final class ApiServers {

    private static final Logger log = LoggerFactory.getLogger(ApiServers.class);
    private static final String VARIABLE = "KUBECONFIG";
    private static final String FROM_VARIABLE = "environment: " + VARIABLE;
    private static final List<String> CONTEXT_KEYS = List.of("cluster", "user", "namespace", "extensions");

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
     * Reads the files in {@code KUBECONFIG}, without that {@code ~/.kube/config}; if none of them exists, the pod's
     * service account.
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
            throw none();
        }
        if (context != null) {
            throw new BadInputException(new InputFault(
                    "kubeContext",
                    "",
                    "found \"%s\", but there is no kubeconfig that could have it".formatted(context)));
        }
        if (!variable().isEmpty()) {
            log.atWarn()
                    .addKeyValue(VARIABLE, variable())
                    .log("No kubeconfig file exists, using the pod's service account");
        }
        return inPod.get();
    }

    /** What {@link #find} reads: a variable, a file, or the pod's service account; empty if there is none of these. */
    public Optional<String> origin() {
        boolean inPod = serviceAccount.isMounted();
        try {
            if (files().isEmpty() && (inPod || variable().isEmpty())) {
                return inPod ? Optional.of("service account") : Optional.empty();
            }
        } catch (BadInputException e) {
            return Optional.of(FROM_VARIABLE); // whose fault find() reports
        }
        return Optional.of(variable().isEmpty() ? usualFile().toString() : FROM_VARIABLE);
    }

    private ApiServer inFiles(List<Path> files, @Nullable String name) throws BadInputException {
        Kubeconfig kubeconfig = new Kubeconfig(files);
        Entry context = kubeconfig.context(name);
        context.keys().allowOnly(CONTEXT_KEYS);
        Kubeconfig.text(context.keys(), "namespace"); // not used: every request names its namespace
        Cluster cluster = Cluster.read(kubeconfig.named(context, "clusters", "cluster"));
        User user = Kubeconfig.text(context.keys(), "user").isEmpty()
                ? User.ANONYMOUS
                : new UserReader(kubeconfig.named(context, "users", "user"), cluster, environment, time).read();
        if (!user.equals(User.ANONYMOUS)) {
            cluster.requireTls();
        }
        Proxies proxies = cluster.proxy() == null ? Proxies.of(environment) : Proxies.always(cluster.proxy());
        kubeconfig.throwIfFaulty();
        return new ApiServer(
                cluster.server(),
                cluster.tls().with(user.identity()).settings(),
                proxies,
                user.credential(),
                user.headers());
    }

    private List<Path> files() throws BadInputException {
        try {
            Stream<Path> names = variable().isEmpty()
                    ? Stream.of(usualFile())
                    : Arrays.stream(variable().split(File.pathSeparator))
                            .filter(name -> !name.isEmpty())
                            .map(Path::of)
                            .distinct();
            // only a file that surely does not exist is passed over; reading one that cannot be looked up is a fault
            return names.filter(file -> !Files.notExists(file)).toList();
        } catch (InvalidPathException e) {
            throw new BadInputException(
                    new InputFault(VARIABLE, "", "found \"%s\", must be the names of files".formatted(variable())), e);
        }
    }

    private String variable() {
        return environment.getOrDefault(VARIABLE, "");
    }

    private Path usualFile() {
        String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
        return Path.of(home, ".kube", "config");
    }

    private BadInputException none() {
        return new BadInputException(
                variable().isEmpty()
                        ? new InputFault(
                                "kubeconfig",
                                "",
                                "found none: neither KUBECONFIG nor ~/.kube/config exists, and this is not a pod with a"
                                        + " service account; must be a kubeconfig file, or one of these")
                        : new InputFault(
                                VARIABLE,
                                "",
                                "found \"%s\", must name a kubeconfig file that exists".formatted(variable())));
    }
}
