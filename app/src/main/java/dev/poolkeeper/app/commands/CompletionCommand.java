package dev.poolkeeper.app.commands;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code completion}: a script that completes commands and options. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Prints a script with which bash and zsh complete commands and options:"
                + " source <(poolkeeper completion)")
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
