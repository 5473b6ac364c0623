package dev.poolkeeper.lab.commands;

import dev.poolkeeper.emulators.arm.AnsweredRequest;
import dev.poolkeeper.emulators.arm.ArmSettings;
import dev.poolkeeper.emulators.arm.ConcurrentWrites;
import dev.poolkeeper.emulators.arm.EtagScope;
import dev.poolkeeper.emulators.arm.Throttling;
import dev.poolkeeper.fake.cloud.Faults;
import dev.poolkeeper.fake.cloud.Inventory;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The arguments of {@code arm-emulator} as typed. */
final class ArmEmulatorArguments {

    private static final long LONGEST_OPERATION_MILLIS = 24L * 60 * 60 * 1000;

    @Option(names = "--port", paramLabel = "N", description = "The port to listen on, 0 for any free port. Default: 0")
    String port = "0";

    @Option(names = "--inventory", paramLabel = "FILE", description = "The initial load balancers. Default: none")
    @Nullable
    String inventory;

    @Option(names = "--faults", paramLabel = "FILE", description = "Faults to inject, see docs/testing.md.")
    @Nullable
    String faults;

    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description = "Output file for the CA certificate. Default: a temporary file")
    @Nullable
    String caFile;

    @Option(names = "--subscription", paramLabel = "ID", description = "Default: that of the first load balancer.")
    private @Nullable String subscription;

    @Option(names = "--resource-group", paramLabel = "NAME", description = "Default: that of the first load balancer.")
    private @Nullable String resourceGroup;

    @Option(
            names = "--operation-millis",
            paramLabel = "N",
            description = "Duration of a write operation. Azure takes 5000 to 20000. Default: 0")
    private String operationMillis = "0";

    @Option(
            names = "--poll-retry-after",
            paramLabel = "SECONDS",
            description = "Retry-After of accepted writes and polls. Default: none is sent")
    private @Nullable String pollRetryAfter;

    @Option(
            names = "--etag",
            paramLabel = "load-balancer|pool",
            description = "The scope of an ETag. Default: load-balancer, including all its pools, as in Azure")
    private String etag = "load-balancer";

    @Option(
            names = "--concurrent-writes",
            paramLabel = "supersede|supersede-and-keep|refuse-409|refuse-429",
            description = "How to handle a write to a load balancer while another is in progress. Default: supersede")
    private String concurrentWrites = "supersede";

    @Option(names = "--throttling", description = "Throttles requests that exceed ARM's documented quotas.")
    private boolean throttling;

    @Option(
            names = "--page-size",
            paramLabel = "N",
            description = "Page size of lists. Default: everything on one page")
    private @Nullable String pageSize;

    @Option(names = "--only-issued-tokens", description = "Accepts only tokens issued by its own token endpoint.")
    private boolean onlyIssuedTokens;

    @Option(names = "--log-requests", description = "Prints each request on standard error.")
    boolean logRequests;

    @Option(
            names = "--output",
            paramLabel = "text|json",
            description = "The format of the printed address and files. Default: text")
    String output = "text";

    /**
     * The validated arguments.
     *
     * @param inventory the initial load balancers
     * @param faults the faults to inject
     * @param settings the behaviour of the emulator
     */
    record Checked(Inventory inventory, Faults faults, ArmSettings settings) {}

    /**
     * Validates all arguments and reads the files.
     *
     * @throws BadInputException with every fault of every argument
     */
    Checked check(Consumer<AnsweredRequest> onRequest) throws BadInputException, IOException {
        List<InputFault> found = new ArrayList<>();
        ArmSettings settings = ArmSettings.DEFAULT
                .withPort((int) number("--port", port, 0, 65_535, found))
                .withOperationDuration(Duration.ofMillis(
                        number("--operation-millis", operationMillis, 0, LONGEST_OPERATION_MILLIS, found)))
                .withEtagScope(oneOf("--etag", etag, EtagScope.values(), found))
                .withConcurrentWrites(oneOf("--concurrent-writes", concurrentWrites, ConcurrentWrites.values(), found))
                .withThrottling(throttling ? Throttling.DOCUMENTED : null)
                .withOnlyIssuedTokens(onlyIssuedTokens)
                .withRequestLogSize(0) // the log is not read here
                .withOnRequest(onRequest);
        if (pollRetryAfter != null) {
            settings = settings.withRetryAfterOnPolls(
                    Duration.ofSeconds(number("--poll-retry-after", pollRetryAfter, 0, Integer.MAX_VALUE, found)));
        }
        if (pageSize != null) {
            settings = settings.withPageSize((int) number("--page-size", pageSize, 1, Integer.MAX_VALUE, found));
        }
        settings = withName("--subscription", subscription, settings, found);
        settings = withName("--resource-group", resourceGroup, settings, found);
        if (!List.of("text", "json").contains(output)) {
            found.add(new InputFault("--output", "", "found \"" + output + "\", must be one of text, json"));
        }
        Inventory chosenInventory = Inventory.EMPTY;
        Faults chosenFaults = Faults.NONE;
        try {
            chosenInventory = inventory == null ? Inventory.EMPTY : InputFile.inventory("--inventory", inventory);
        } catch (BadInputException e) {
            found.addAll(e.faults());
        }
        try {
            chosenFaults = faults == null ? Faults.NONE : InputFile.faults("--faults", faults);
        } catch (BadInputException e) {
            found.addAll(e.faults());
        }
        if (!found.isEmpty()) {
            throw new BadInputException(found);
        }
        return new Checked(chosenInventory, chosenFaults, settings);
    }

    private static ArmSettings withName(
            String option, @Nullable String name, ArmSettings settings, List<InputFault> found) {
        if (name == null) {
            return settings;
        }
        if (name.isBlank() || name.contains("/")) {
            found.add(new InputFault(option, "", "found \"" + name + "\", must not be blank and not contain a slash"));
            return settings;
        }
        return option.equals("--subscription") ? settings.withSubscription(name) : settings.withResourceGroup(name);
    }

    private static long number(String option, String text, long least, long most, List<InputFault> found) {
        try {
            long value = Long.parseLong(text);
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        found.add(new InputFault(
                option, "", "found \"" + text + "\", must be a whole number from " + least + " to " + most));
        return least;
    }

    private static <E extends Enum<E>> E oneOf(String option, String text, E[] values, List<InputFault> found) {
        List<String> names = new ArrayList<>();
        for (E value : values) {
            String name = value.name().toLowerCase(Locale.ROOT).replace('_', '-');
            if (name.equals(text)) {
                return value;
            }
            names.add(name);
        }
        found.add(new InputFault(option, "", "found \"" + text + "\", must be one of " + String.join(", ", names)));
        return values[0];
    }
}
