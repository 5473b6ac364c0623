package dev.poolkeeper.lab;

import dev.poolkeeper.lab.commands.LabCommands;

/** The entry point of the lab's program, which includes the daemon. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        dev.poolkeeper.app.Main.prepare();
        System.exit(LabCommands.executeHere(args));
    }
}
