package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.FileArgument;
import dev.poolkeeper.emulators.arm.ArmRequest;
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

/** The arguments of {@code arm-emulator} as they were typed. */
record ArmEmulatorArguments(
        String port,
        @Nullable String inventory,
        @Nullable String faults,
        @Nullable String subscription,
        @Nullable String resourceGroup,
        String operationMillis,
        @Nullable String pollRetryAfter,
        String etag,
        String concurrentWrites,
        boolean throttling,
        @Nullable String pageSize,
        boolean onlyIssuedTokens,
        String output) {

    private static final long LONGEST_OPERATION_MILLIS = 24L * 60 * 60 * 1000;

    /**
     * What the arguments mean.
     *
     * @param inventory the load balancers at first
     * @param faults what goes wrong
     * @param settings how the emulator behaves
     */
    record Checked(Inventory inventory, Faults faults, ArmSettings settings) {}

    /**
     * Checks everything and reads the files.
     *
     * @throws BadInputException with every fault of every argument
     */
    Checked check(Consumer<ArmRequest> onRequest) throws BadInputException, IOException {
        List<InputFault> found = new ArrayList<>();
        ArmSettings settings = ArmSettings.DEFAULT
                .withPort((int) number("--port", port, 0, 65_535, found))
                .withOperationDuration(Duration.ofMillis(
                        number("--operation-millis", operationMillis, 0, LONGEST_OPERATION_MILLIS, found)))
                .withEtagScope(oneOf("--etag", etag, EtagScope.values(), found))
                .withConcurrentWrites(oneOf("--concurrent-writes", concurrentWrites, ConcurrentWrites.values(), found))
                .withThrottling(throttling ? Throttling.DOCUMENTED : null)
                .withOnlyIssuedTokens(onlyIssuedTokens)
                .withRequestLogSize(0) // nobody reads it here
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
            chosenInventory =
                    inventory == null ? Inventory.EMPTY : Inventory.read(FileArgument.path("--inventory", inventory));
        } catch (BadInputException e) {
            found.addAll(e.faults());
        }
        try {
            chosenFaults = faults == null ? Faults.NONE : Faults.read(FileArgument.path("--faults", faults));
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
            // said below
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
