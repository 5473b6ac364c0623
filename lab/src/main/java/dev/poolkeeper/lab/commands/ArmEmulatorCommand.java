package dev.poolkeeper.lab.commands;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.commands.ExitCode;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.emulators.arm.ArmEmulator;
import dev.poolkeeper.emulators.arm.ArmRequest;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code arm-emulator}: the ARM emulator on its own, for anybody's tests. */
@Command(
        name = "arm-emulator",
        description = "Serves Azure Resource Manager for load balancers and their backend pools over HTTPS on loopback,"
                + " until it is interrupted. Prints its address, CA file, subscription and resource group.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false)
final class ArmEmulatorCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Option(names = "--port", paramLabel = "N", description = "Where to listen, 0 for a free port. Default: 0")
    private String port = "0";

    @Option(names = "--inventory", paramLabel = "FILE", description = "The load balancers at first. Default: none")
    private @Nullable String inventory;

    @Option(names = "--faults", paramLabel = "FILE", description = "What goes wrong, see docs/emulator.md.")
    private @Nullable String faults;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Where to write the certificate to trust. Default: a temporary file")
    private @Nullable String caFile;

    @Option(names = "--subscription", paramLabel = "ID", description = "Default: that of the first load balancer.")
    private @Nullable String subscription;

    @Option(names = "--resource-group", paramLabel = "NAME", description = "Default: that of the first load balancer.")
    private @Nullable String resourceGroup;

    @Option(
            names = "--operation-millis",
            paramLabel = "N",
            description = "How long a write is at work. Azure takes 5000 to 20000. Default: 0")
    private String operationMillis = "0";

    @Option(
            names = "--poll-retry-after",
            paramLabel = "SECONDS",
            description = "Retry-After of accepted writes and polls. Default: none is sent")
    private @Nullable String pollRetryAfter;

    @Option(
            names = "--etag",
            paramLabel = "load-balancer|pool",
            description = "What one ETag stands for. Default: load-balancer, with all its pools, as Azure")
    private String etag = "load-balancer";

    @Option(
            names = "--concurrent-writes",
            paramLabel = "supersede|supersede-and-keep|refuse-409|refuse-429",
            description = "What becomes of a write to a load balancer while another is at work. Default: supersede")
    private String concurrentWrites = "supersede";

    @Option(names = "--throttling", description = "Refuses what exceeds ARM's documented quotas.")
    private boolean throttling;

    @Option(names = "--page-size", paramLabel = "N", description = "Of lists. Default: everything on one page")
    private @Nullable String pageSize;

    @Option(names = "--only-issued-tokens", description = "Accepts tokens of its own token endpoint alone.")
    private boolean onlyIssuedTokens;

    @Option(names = "--log-requests", description = "Prints each request on standard error.")
    private boolean logRequests;

    @Option(
            names = "--output",
            paramLabel = "text|json",
            description = "How standard output shows where it is. Default: text")
    private String output = "text";

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        ArmEmulatorArguments arguments = new ArmEmulatorArguments(
                port,
                inventory,
                faults,
                subscription,
                resourceGroup,
                operationMillis,
                pollRetryAfter,
                etag,
                concurrentWrites,
                throttling,
                pageSize,
                onlyIssuedTokens,
                output);
        ArmEmulatorArguments.Checked checked = arguments.check(logRequests ? this::log : request -> {});
        try (CaFile file = CaFile.of(caFile, Arrays.asList(inventory, faults));
                ArmEmulator arm = start(checked)) {
            show(arm, file.write(arm.caCertificatePem()));
            new CountDownLatch(1).await(); // until somebody interrupts
        }
        return ExitCode.DONE;
    }

    private ArmEmulator start(ArmEmulatorArguments.Checked checked) throws BadInputException, IOException {
        try {
            return ArmEmulator.start(checked.inventory(), checked.faults(), checked.settings());
        } catch (BindException e) {
            throw new BadInputException(
                    new InputFault("--port", "", "found \"" + port + "\", must be a free port: " + e.getMessage()), e);
        }
    }

    private void show(ArmEmulator arm, Path caFilePath) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("address", arm.baseUri().toString());
        facts.put("caFile", caFilePath.toString());
        facts.put("subscription", arm.subscription());
        facts.put("resourceGroup", arm.resourceGroup());
        PrintWriter out = spec.commandLine().getOut();
        if (output.equals("json")) {
            out.println(new JsonMapper().writeValueAsString(facts));
        } else {
            out.println("address:        " + facts.get("address"));
            out.println("CA file:        " + facts.get("caFile"));
            out.println("subscription:   " + facts.get("subscription"));
            out.println("resource group: " + facts.get("resourceGroup"));
        }
        out.flush();
    }

    private void log(ArmRequest request) {
        PrintWriter err = spec.commandLine().getErr();
        err.printf(
                "%s %s %s -> %s, %.1f ms%n",
                request.at(),
                request.method(),
                request.path(),
                request.status() == 0 ? "dropped" : Integer.toString(request.status()),
                request.took().toNanos() / 1e6);
    }
}
