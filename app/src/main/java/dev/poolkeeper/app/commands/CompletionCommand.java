package dev.poolkeeper.app.commands;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: prints a shell completion script. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Prints a completion script for bash and zsh:" + " source <(poolkeeper completion)")
final class CompletionCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine()
                .getOut()
                .println(AutoComplete.bash(spec.root().name(), spec.root().commandLine()));
    }
}
