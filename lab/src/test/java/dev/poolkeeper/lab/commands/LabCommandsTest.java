package dev.poolkeeper.lab.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.poolkeeper.app.commands.CommandLineRun;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class LabCommandsTest {

    static String[] commands() {
        return LabCommands.all(Terminal.NONE).stream()
                .map(CommandLine::getCommandName)
                .filter(name -> !name.equals("run"))
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @MethodSource("commands")
    void the_daemon_knows_every_command_of_the_lab(String command) {
        assertThat(LabRun.of("--help").out()).contains("  " + command + " ");
        assertThat(CommandLineRun.of(command).err())
                .startsWith("poolkeeper: " + command + ": is not in the daemon's image");
    }
}
