package dev.poolkeeper.lab.commands;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.commands.ExitCode;
import dev.poolkeeper.app.commands.Version;
import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmEmulator;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code arm-emulator}: the ARM emulator as a separate process, for tests in any language. */
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

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private ArmEmulatorArguments arguments;

    @Override
    public Integer call() throws BadInputException, IOException, InterruptedException {
        ArmEmulatorArguments.Checked checked = arguments.check(arguments.logRequests ? this::log : request -> {});
        try (CaFile file = CaFile.of(arguments.caFile, Arrays.asList(arguments.inventory, arguments.faults));
                ArmEmulator arm = start(checked)) {
            show(arm, file.write(arm.caCertificatePem()));
            new CountDownLatch(1).await(); // until it is interrupted
        }
        return ExitCode.DONE;
    }

    private ArmEmulator start(ArmEmulatorArguments.Checked checked) throws BadInputException, IOException {
        try {
            return ArmEmulator.start(checked.inventory(), checked.faults(), checked.settings());
        } catch (BindException e) {
            throw new BadInputException(
                    new InputFault(
                            "--port", "", "found \"" + arguments.port + "\", must be a free port: " + e.getMessage()),
                    e);
        }
    }

    private void show(ArmEmulator arm, Path caFilePath) throws IOException {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("address", arm.baseUri().toString());
        facts.put("caFile", caFilePath.toString());
        facts.put("subscription", arm.subscription());
        facts.put("resourceGroup", arm.resourceGroup());
        PrintWriter out = spec.commandLine().getOut();
        if (arguments.output.equals("json")) {
            out.println(new JsonMapper().writeValueAsString(facts));
        } else {
            out.println("address:        " + facts.get("address"));
            out.println("CA file:        " + facts.get("caFile"));
            out.println("subscription:   " + facts.get("subscription"));
            out.println("resource group: " + facts.get("resourceGroup"));
        }
        out.flush();
    }

    private void log(AnsweredRequest request) {
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
