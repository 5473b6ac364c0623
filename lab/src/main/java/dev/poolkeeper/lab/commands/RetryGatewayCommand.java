package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.ExitCode;
import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.policies.PolicyDefaults;
import dev.poolkeeper.input.policies.PolicyManifests;
import dev.poolkeeper.input.proxy.ProxyAddress;
import dev.poolkeeper.lab.gateway.BackendAddress;
import dev.poolkeeper.lab.gateway.RunningGateway;
import dev.poolkeeper.ports.SystemTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code retry-gateway}: a small reverse proxy that applies retry policies. */
@Command(
        name = "retry-gateway",
        description = "Forwards HTTP requests to backends according to HTTPRoutes, backend traffic policies and"
                + " ServiceProfiles in files, until it is interrupted: for trying retries, timeouts and budgets on"
                + " real traffic. Changes of the files take effect. Requests of every method are retried, POST too."
                + " Not for production: no TLS, one address per backend.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class RetryGatewayCommand implements Callable<Integer> {

    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9a-fA-F:]+]|[-.A-Za-z0-9]+):(\\d{1,5})");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(
            names = "--routes",
            paramLabel = "FILE",
            required = true,
            arity = "1..*",
            description =
                    "Manifests: HTTPRoute, XBackendTrafficPolicy, BackendTrafficPolicy, ServiceProfile. Others are"
                            + " ignored.")
    private List<String> routes = List.of();

    @Option(
            names = "--backend",
            paramLabel = "NAME=HOST:PORT",
            required = true,
            arity = "1..*",
            description = "The address of a Service; NAME is its name, or NAMESPACE/NAME.")
    private List<String> backends = List.of();

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "The address for clients; port 0 for any free port. Default: ${DEFAULT-VALUE}")
    private String listen = "127.0.0.1:8080";

    @Option(
            names = "--admin",
            paramLabel = "HOST:PORT",
            description =
                    "The address of /metrics and of /compare, which shows measurements next to predictions; port 0 for"
                            + " any free port. Default: ${DEFAULT-VALUE}")
    private String admin = "127.0.0.1:8081";

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        RunningGateway.Settings settings = check();
        PrintWriter err = spec.commandLine().getErr();
        try (SystemTime time = new SystemTime();
                RunningGateway gateway = start(settings, time, err)) {
            PrintWriter out = spec.commandLine().getOut();
            out.println("gateway:  http://" + shown(gateway.address()));
            out.println("metrics:  http://" + shown(gateway.adminAddress()) + "/metrics");
            out.println("compare:  http://" + shown(gateway.adminAddress()) + "/compare");
            out.flush();
            new CountDownLatch(1).await(); // until it is interrupted, or the process is asked to stop
        }
        return ExitCode.DONE;
    }

    private RunningGateway start(RunningGateway.Settings settings, SystemTime time, PrintWriter err)
            throws BadInputException, IOException {
        try {
            return RunningGateway.start(settings, time, note -> err.println("note: " + InputFault.line(note)));
        } catch (BindException e) {
            throw new BadInputException(
                    new InputFault(
                            "--listen, --admin",
                            "",
                            "found \"" + listen + "\" and \"" + admin + "\", must be free local addresses: "
                                    + e.getMessage()),
                    e);
        }
    }

    private static String shown(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    private RunningGateway.Settings check() throws BadInputException {
        List<InputFault> faults = new ArrayList<>();
        List<Path> files = new ArrayList<>();
        for (String route : routes) {
            try {
                files.add(FileArgument.path("--routes", route));
            } catch (BadInputException e) {
                faults.addAll(e.faults());
            }
        }
        List<BackendAddress> addresses = backends(faults);
        InetSocketAddress in = address("--listen", listen, faults);
        InetSocketAddress pages = address("--admin", admin, faults);
        try {
            PolicyManifests.read(files, PolicyDefaults.GATEWAY);
        } catch (BadInputException e) {
            faults.addAll(e.faults());
        }
        if (!faults.isEmpty()) {
            throw new BadInputException(faults);
        }
        return new RunningGateway.Settings(files, addresses, in, pages);
    }

    private List<BackendAddress> backends(List<InputFault> faults) {
        List<BackendAddress> addresses = new ArrayList<>();
        Set<List<String>> names = new HashSet<>();
        for (String backend : backends) {
            try {
                BackendAddress address = BackendAddress.parse(backend);
                addresses.add(address);
                if (!names.add(List.of(address.namespace(), address.name()))) {
                    faults.add(
                            new InputFault("--backend", "", "found \"" + backend + "\", must name each Service once"));
                }
            } catch (BadInputException e) {
                faults.addAll(e.faults());
            }
        }
        return addresses;
    }

    private static InetSocketAddress address(String option, String text, List<InputFault> faults) {
        Matcher form = ADDRESS.matcher(text);
        if (form.matches() && Integer.parseInt(form.group(2)) <= ProxyAddress.LAST_PORT) {
            InetSocketAddress address = new InetSocketAddress(form.group(1), Integer.parseInt(form.group(2)));
            if (!address.isUnresolved()) {
                return address;
            }
        }
        faults.add(new InputFault(option, "", "found \"" + text + "\", must be a local HOST:PORT"));
        return new InetSocketAddress(0);
    }
}
