package dev.poolkeeper.lab.commands;

import dev.poolkeeper.app.commands.CommandLineRun;

/** Runs the lab's command line in this process. */
public final class LabRun {

    private LabRun() {}

    public static CommandLineRun of(String... args) {
        return CommandLineRun.of(LabCommands::execute, args);
    }
}
