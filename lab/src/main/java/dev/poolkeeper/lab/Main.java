package dev.poolkeeper.lab;

import dev.poolkeeper.lab.commands.LabCommands;

/** Arguments to command to exit code: the daemon and the lab. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        dev.poolkeeper.app.Main.prepare();
        System.exit(LabCommands.executeHere(args));
    }
}
