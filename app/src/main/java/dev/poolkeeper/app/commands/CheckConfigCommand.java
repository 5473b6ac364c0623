package dev.poolkeeper.app.commands;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.poolkeeper.app.config.Configuration;
import dev.poolkeeper.app.logging.Logging;
import dev.poolkeeper.app.wiring.Daemons;
import dev.poolkeeper.input.BadInputException;
import dev.poolkeeper.input.InputFault;
import dev.poolkeeper.input.JsonEscapes;
import dev.poolkeeper.ports.ForeignText;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code check-config}: validates a configuration file. */
@Command(
        name = "check-config",
        description =
                "Validates a configuration, all faults at once; prints each effective value and where it comes from.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class)
final class CheckConfigCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE", description = "The configuration, YAML or JSON.")
    private String file = "";

    @Option(names = "--output", paramLabel = "text|json", description = "The output format. Default: ${DEFAULT-VALUE}")
    private String output = "text";

    @Override
    public Integer call() throws BadInputException, IOException {
        if (!List.of("text", "json").contains(output)) {
            throw new BadInputException(
                    new InputFault("--output", "", "found \"" + output + "\", must be one of text, json"));
        }
        Configuration configuration = check();
        configuration
                .warnings()
                .forEach(warning -> spec.commandLine().getErr().println("warning: " + InputFault.line(warning)));
        PrintWriter out = spec.commandLine().getOut();
        if (output.equals("json")) {
            out.println(JsonMapper.builder()
                    .build()
                    .writerWithDefaultPrettyPrinter()
                    .with(new JsonEscapes())
                    .writeValueAsString(Map.of("values", configuration.values())));
        } else {
            int width = configuration.values().stream()
                    .mapToInt(value -> value.key().length())
                    .max()
                    .orElse(1);
            configuration
                    .values()
                    .forEach(value -> out.println(ForeignText.line(String.format(
                            Locale.ROOT, "%-" + width + "s = %s  (%s)", value.key(), value.value(), value.origin()))));
        }
        return ExitCode.DONE;
    }

    /** The libraries log what they refuse before they throw it, and we report it in one line. */
    private Configuration check() throws BadInputException {
        try (Logging.Silence unused = Logging.silence()) {
            return Daemons.check(FileArgument.path("FILE", file));
        }
    }
}
